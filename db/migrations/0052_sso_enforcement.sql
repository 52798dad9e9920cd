-- The domain of a normalised e-mail address as A-labels (RFC 5890), by the algorithm of RFC 3492, section 6.3. The
-- service has applied NFKC and lower case; characters that IDNA ignores are removed here. Domains of organizations are
-- stored as A-labels, and addresses as entered: without this function a member with an address in U-labels would be in
-- no domain.
CREATE FUNCTION "address_domain"("address" text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	name text := substring(address from '[^@]*$');
	labels text[] := '{}';
	label text;
	points integer[];
	basic text;
	encoded text;
	n integer;
	delta integer;
	bias integer;
	handled integer;
	first_time boolean;
	next_point integer;
	point integer;
	q integer;
	k integer;
	t integer;
BEGIN
	IF octet_length(name) = char_length(name) THEN
		RETURN name;
	END IF;
	name := regexp_replace(name, '[\u034F\u180B-\u180D\u180F\uFE00-\uFE0F]', '', 'g');
	FOREACH label IN ARRAY string_to_array(name, '.') LOOP
		IF octet_length(label) = char_length(label) THEN
			labels := labels || label;
			CONTINUE;
		END IF;
		SELECT array_agg(ascii(c) ORDER BY i) INTO points FROM regexp_split_to_table(label, '') WITH ORDINALITY AS s (c, i);
		basic := regexp_replace(label, '[^\x01-\x7F]', '', 'g');
		encoded := CASE WHEN basic = '' THEN '' ELSE basic || '-' END;
		n := 128; delta := 0; bias := 72; first_time := true;
		handled := char_length(basic);
		WHILE handled < cardinality(points) LOOP
			SELECT min(p) INTO next_point FROM unnest(points) p WHERE p >= n;
			delta := delta + (next_point - n) * (handled + 1);
			n := next_point;
			FOREACH point IN ARRAY points LOOP
				IF point < n THEN
					delta := delta + 1;
				ELSIF point = n THEN
					q := delta;
					k := 36;
					LOOP
						t := least(greatest(k - bias, 1), 26);
						EXIT WHEN q < t;
						encoded := encoded || substr('abcdefghijklmnopqrstuvwxyz0123456789', t + (q - t) % (36 - t) + 1, 1);
						q := (q - t) / (36 - t);
						k := k + 36;
					END LOOP;
					encoded := encoded || substr('abcdefghijklmnopqrstuvwxyz0123456789', q + 1, 1);
					delta := CASE WHEN first_time THEN delta / 700 ELSE delta / 2 END;
					delta := delta + delta / (handled + 1);
					k := 0;
					WHILE delta > 455 LOOP
						delta := delta / 35;
						k := k + 36;
					END LOOP;
					bias := k + 36 * delta / (delta + 38);
					first_time := false;
					delta := 0;
					handled := handled + 1;
				END IF;
			END LOOP;
			delta := delta + 1;
			n := n + 1;
		END LOOP;
		labels := labels || ('xn--' || encoded);
	END LOOP;
	RETURN array_to_string(labels, '.');
END
$$;--> statement-breakpoint
-- The time until which a session has access to an organization: `infinity`, unless the organization requires single
-- sign-on from `required_at` and outside of a pause (docs/contract.md, section 29.46). One function, because sign-ins,
-- session checks, rotations, token families and the end of sessions decide by an equal rule. `bound`: the session began
-- at the identity provider of this organization. An owner who is registered for emergency access has one hour from a
-- sign-in with two factors.
CREATE FUNCTION "sso_access_until"("account" uuid, "organization" uuid, "bound" boolean, "aal" text, "auth_time" timestamptz)
RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
	rule record;
	required_from timestamptz;
BEGIN
	IF bound THEN
		RETURN 'infinity';
	END IF;
	SELECT p.* INTO rule FROM sso_policies p WHERE p.organization_id = organization AND p.mode = 'required';
	IF NOT FOUND THEN
		RETURN 'infinity';
	END IF;
	required_from := greatest(coalesce(rule.required_at, '-infinity'), coalesce(rule.paused_until, '-infinity'));
	IF account = ANY (rule.break_glass) AND EXISTS (
		SELECT 1 FROM members m WHERE m.organization_id = organization AND m.user_id = account AND m.role = 'owner'
	) THEN
		RETURN CASE WHEN aal = 'aal2' THEN greatest(required_from, auth_time + interval '1 hour') ELSE required_from END;
	END IF;
	IF rule.guests = 'required' OR EXISTS (
		SELECT 1 FROM user_emails e JOIN organization_domains d ON d.domain = address_domain(e.email)
		WHERE e.user_id = account AND (e."primary" OR e.verified_at IS NOT NULL)
			AND d.organization_id = organization AND d.status IN ('verified', 'failing')
	) THEN
		RETURN required_from;
	END IF;
	RETURN 'infinity';
END
$$;
--> statement-breakpoint
-- A domain that an organization gains or loses changes the covered members. The revision tells the replicas that views
-- of token families are stale; the event drops the cached views of sessions, also where the change came from a replica
-- of an earlier release. The event needs no longer life than the cached views.
CREATE FUNCTION "log_sso_coverage_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changed uuid := coalesce(new.organization_id, old.organization_id);
BEGIN
	UPDATE sso_policies SET revision = revision + 1 WHERE organization_id = changed AND mode = 'required';
	IF FOUND THEN
		INSERT INTO session_events (session_id, kind, reason, at, expires_at)
		VALUES (changed, 'organization_changed', 'sso_coverage_changed', now(), now() + interval '1 day');
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "organization_domains_log_coverage" AFTER INSERT OR DELETE OR UPDATE OF "status" ON "organization_domains"
FOR EACH ROW EXECUTE FUNCTION log_sso_coverage_change();
