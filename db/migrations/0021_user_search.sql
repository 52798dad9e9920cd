-- The total of the users whose address or name matches a pattern, and the ids of a page of them, newest first; one row without an id
-- where the page is empty. `indexed` goes through the trigram index, `pattern` filters what that finds; null where `indexed` says all.
-- It is a function, in a language that is not inlined, so that only this part is planned for each text: a rare text wants the index, a
-- common one the order of creation. Planning the columns of the page with it took longer than the search.
CREATE FUNCTION "search_users"("indexed" text, "pattern" text, "page_limit" integer, "page_offset" integer)
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
