-- An address with the domain as A-labels (docs/contract.md, section 2.4): the form in which addresses are stored and
-- found.
CREATE OR REPLACE FUNCTION "ascii_address"("address" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT left(address, length(address) - length(substring(address from '[^@]*$'))) || address_domain(address)
$$;
