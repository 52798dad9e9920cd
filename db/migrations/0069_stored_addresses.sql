-- Converts addresses of before the triggers of migration `ascii_addresses`. An address whose ASCII form another row has stays as entered
-- (docs/upgrading.md, "Addresses of users"). "user_emails" first: a trigger of "users" keeps a replaced address as a further address.
DO $$
DECLARE
	place record;
	entered text;
BEGIN
	FOR place IN SELECT * FROM (VALUES
		('user_emails', 'id', 'uuid'), ('users', 'id', 'uuid'), ('email_changes', 'id', 'uuid'), ('invitations', 'id', 'uuid'),
		('email_reservations', 'email', 'text')
	) AS t (name, key, type) LOOP
		FOR entered IN EXECUTE format(
			'SELECT %I::text FROM %I WHERE octet_length(email) <> char_length(email) AND ascii_address(email) <> email',
			place.key, place.name
		) LOOP
			BEGIN
				EXECUTE format('UPDATE %I SET email = ascii_address(email) WHERE %I = $1::%s', place.name, place.key, place.type)
				USING entered;
			EXCEPTION WHEN unique_violation THEN
				NULL;
			END;
		END LOOP;
	END LOOP;
END
$$;--> statement-breakpoint
-- The keys of a record get the ASCII form of its addresses, beside the form of the directory.
UPDATE "directory_users" u SET "email_keys" = ARRAY(
	SELECT unnest(u."email_keys")
	UNION
	SELECT ascii_address(k) FROM unnest(u."email_keys" || u."user_name_key") k WHERE k LIKE '%@%' AND ascii_address(k) <> k
) WHERE EXISTS (
	SELECT FROM unnest(u."email_keys" || u."user_name_key") k
	WHERE k LIKE '%@%' AND octet_length(k) <> char_length(k) AND ascii_address(k) <> k
);
