CREATE TABLE "directories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"status" text NOT NULL,
	"default_role" text NOT NULL,
	"outside_domains" text NOT NULL,
	"role_source" text NOT NULL,
	"last_request_at" timestamp with time zone,
	"revision" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "directories_organization_id_key" UNIQUE("organization_id")
);
--> statement-breakpoint
CREATE TABLE "directory_group_members" (
	"group_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	CONSTRAINT "directory_group_members_pkey" PRIMARY KEY("group_id","record_id")
);
--> statement-breakpoint
CREATE TABLE "directory_groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"directory_id" uuid NOT NULL,
	"display_name" text NOT NULL,
	"display_name_key" text NOT NULL,
	"external_id" text,
	"role" text,
	"version" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"directory_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"scim_type" text,
	"detail" text NOT NULL,
	"request_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory_users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"directory_id" uuid NOT NULL,
	"user_name" text NOT NULL,
	"user_name_key" text NOT NULL,
	"external_id" text,
	"active" boolean NOT NULL,
	"document" jsonb NOT NULL,
	"email_keys" text[] NOT NULL,
	"user_id" uuid,
	"link" text NOT NULL,
	"former_role" text,
	"former_joined_at" timestamp with time zone,
	"version" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "directories" ADD CONSTRAINT "directories_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_group_members" ADD CONSTRAINT "directory_group_members_group_id_directory_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."directory_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_group_members" ADD CONSTRAINT "directory_group_members_record_id_directory_users_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."directory_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_groups" ADD CONSTRAINT "directory_groups_directory_id_directories_id_fk" FOREIGN KEY ("directory_id") REFERENCES "public"."directories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_requests" ADD CONSTRAINT "directory_requests_directory_id_directories_id_fk" FOREIGN KEY ("directory_id") REFERENCES "public"."directories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_users" ADD CONSTRAINT "directory_users_directory_id_directories_id_fk" FOREIGN KEY ("directory_id") REFERENCES "public"."directories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory_users" ADD CONSTRAINT "directory_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "directory_group_members_record_id_idx" ON "directory_group_members" USING btree ("record_id");--> statement-breakpoint
CREATE UNIQUE INDEX "directory_groups_display_name_key" ON "directory_groups" USING btree ("directory_id","display_name_key");--> statement-breakpoint
CREATE INDEX "directory_groups_directory_id_idx" ON "directory_groups" USING btree ("directory_id","id");--> statement-breakpoint
CREATE INDEX "directory_groups_external_id_idx" ON "directory_groups" USING btree ("directory_id","external_id");--> statement-breakpoint
CREATE INDEX "directory_requests_directory_id_idx" ON "directory_requests" USING btree ("directory_id","at");--> statement-breakpoint
CREATE INDEX "directory_requests_at_idx" ON "directory_requests" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "directory_users_user_name_key" ON "directory_users" USING btree ("directory_id","user_name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "directory_users_user_key" ON "directory_users" USING btree ("directory_id","user_id");--> statement-breakpoint
CREATE INDEX "directory_users_directory_id_idx" ON "directory_users" USING btree ("directory_id","id");--> statement-breakpoint
CREATE INDEX "directory_users_external_id_idx" ON "directory_users" USING btree ("directory_id","external_id");--> statement-breakpoint
CREATE INDEX "directory_users_email_keys_idx" ON "directory_users" USING gin ("email_keys");--> statement-breakpoint
CREATE INDEX "directory_users_user_id_idx" ON "directory_users" USING btree ("user_id");