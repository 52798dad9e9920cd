CREATE TABLE "domain_join_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"denied_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_group_roles" (
	"group_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "directory_group_roles_pkey" PRIMARY KEY("group_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "member_group_members" (
	"group_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_group_members_pkey" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "member_group_roles" (
	"group_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "member_group_roles_pkey" PRIMARY KEY("group_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "member_groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"description" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_groups_name_key" UNIQUE("organization_id","name_key")
);
--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "public_metadata" jsonb;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "private_metadata" jsonb;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "public_metadata" jsonb;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "private_metadata" jsonb;--> statement-breakpoint
ALTER TABLE "domain_join_requests" ADD CONSTRAINT "domain_join_requests_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_join_requests" ADD CONSTRAINT "domain_join_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_group_roles" ADD CONSTRAINT "directory_group_roles_group_id_directory_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."directory_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_group_roles" ADD CONSTRAINT "directory_group_roles_role_id_organization_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."organization_roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_group_members" ADD CONSTRAINT "member_group_members_group_id_member_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."member_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_group_members" ADD CONSTRAINT "member_group_members_member_fkey" FOREIGN KEY ("user_id","organization_id") REFERENCES "public"."members"("user_id","organization_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_group_roles" ADD CONSTRAINT "member_group_roles_group_id_member_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."member_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_group_roles" ADD CONSTRAINT "member_group_roles_role_id_organization_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."organization_roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_groups" ADD CONSTRAINT "member_groups_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domain_join_requests_key" ON "domain_join_requests" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "domain_join_requests_user_id_idx" ON "domain_join_requests" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "domain_join_requests_expires_at_idx" ON "domain_join_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "directory_group_roles_role_id_idx" ON "directory_group_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "member_group_members_member_idx" ON "member_group_members" USING btree ("user_id","organization_id");--> statement-breakpoint
CREATE INDEX "member_group_roles_role_id_idx" ON "member_group_roles" USING btree ("role_id");