-- Whether an address is in the ranges of a policy; no ranges permit every address. The zone of an IPv6 address is
-- ignored.
CREATE OR REPLACE FUNCTION "address_in_ranges"("address" text, "ranges" jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(jsonb_array_length(ranges), 0) = 0 OR coalesce(bool_or(
		split_part(address, '%', 1)::inet <<= r.value::inet
	), false) FROM jsonb_array_elements_text(ranges) r
$$;
