-- Ids and number of the users that a text finds, newest first. A function in a language that is not inlined: only this
-- part is planned for each text. A rare text needs the trigram index, a common text the order of creation.
CREATE OR REPLACE FUNCTION "search_users"("indexed" text, "pattern" text, "page_limit" integer, "page_offset" integer)
RETURNS TABLE ("total" integer, "id" uuid) LANGUAGE plpgsql STABLE ROWS 20 AS $$
BEGIN
	RETURN QUERY
	SELECT counted.total, page.id
	FROM (
		SELECT count(*)::integer AS total FROM users u
		WHERE lower(u.email || ' ' || coalesce(u.display_name, '')) LIKE indexed
			AND (pattern IS NULL OR lower(u.email || ' ' || coalesce(u.display_name, '')) || '' LIKE pattern)
	) counted LEFT JOIN (
		SELECT u.id FROM users u
		WHERE lower(u.email || ' ' || coalesce(u.display_name, '')) LIKE indexed
			AND (pattern IS NULL OR lower(u.email || ' ' || coalesce(u.display_name, '')) || '' LIKE pattern)
		ORDER BY u.created_at DESC, u.id DESC LIMIT page_limit OFFSET page_offset
	) page ON true;
END
$$;
