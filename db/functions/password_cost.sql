-- Scheme and cost of a stored password hash, without salt and key: the cost of a verification. An index has the costs
-- in use, so that a sign-in without an account takes as long as a sign-in with one of the costs.
CREATE OR REPLACE FUNCTION "password_cost"("hash" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT substring(hash FROM '^\$(?:argon2(?:id|i|d)\$(?:v=\d+\$)?[^$]+|2[aby]\$\d\d|scrypt\$[^$]+|7\$.{11}|pbkdf2[^$]*\$[^$]+)')
$$;
