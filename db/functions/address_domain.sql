-- The domain of an address as A-labels (RFC 3492): domains are stored as A-labels. Without this function an address in
-- U-labels would be in no domain.
CREATE OR REPLACE FUNCTION "address_domain"("address" text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
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
$$;
