/** Namespaces and identifiers of SAML 2.0, XML Signature and XML Encryption. */
export const SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol";
export const SAML = "urn:oasis:names:tc:SAML:2.0:assertion";
export const METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
export const DS = "http://www.w3.org/2000/09/xmldsig#";
export const XENC = "http://www.w3.org/2001/04/xmlenc#";
export const XENC11 = "http://www.w3.org/2009/xmlenc11#";
export const XML = "http://www.w3.org/XML/1998/namespace";
export const XSI = "http://www.w3.org/2001/XMLSchema-instance";
/** Exclusive canonicalization without comments: the algorithm, and the namespace of `InclusiveNamespaces`. */
export const EXC_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";

export const STATUS_PREFIX = "urn:oasis:names:tc:SAML:2.0:status:";
export const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
export const TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
