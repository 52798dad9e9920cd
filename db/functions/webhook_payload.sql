-- The body of a delivery: the audit record as lists and exports return the record.
CREATE OR REPLACE FUNCTION "webhook_payload"("e" audit_logs) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT json_build_object('type', e.action, 'timestamp', at.text, 'data', json_build_object(
		'id', e.id, 'event_id', e.event_id, 'timestamp', at.text,
		'organization_id', coalesce(e.organization_id, '00000000-0000-0000-0000-000000000000'),
		'actor_id', e.actor_id, 'actor_type', e.actor_type, 'action', e.action, 'resource_type', e.resource_type,
		'resource_id', coalesce(e.resource_id, ''), 'ip_address', e.ip_address, 'user_agent', e.user_agent,
		'request_id', e.request_id, 'metadata', e.metadata, 'outcome', e.outcome))::text
	FROM (SELECT to_char(e.timestamp AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS text) at
$$;
