-- Clients whose proofs of possession need a nonce (RFC 9449, section 8). A constant default: no table is rewritten.
ALTER TABLE "oauth_clients" ADD COLUMN "require_dpop_nonce" boolean DEFAULT false NOT NULL;
