/** Examples that the specifications print, verbatim but for line breaks. */

const joined = (...lines: readonly string[]) => lines.join("");

/** RFC 9101, section 4: the signed request object and the key. */
export const RFC_9101 = {
  object: joined(
    "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsyYmRjIn0.ewogICAgImlzcyI6ICJzNkJoZF",
    "JrcXQzIiwKICAgICJhdWQiOiAiaHR0cHM6Ly9zZXJ2ZXIuZXhhbXBsZS5jb20iLAog",
    "ICAgInJlc3BvbnNlX3R5cGUiOiAiY29kZSBpZF90b2tlbiIsCiAgICAiY2xpZW50X2",
    "lkIjogInM2QmhkUmtxdDMiLAogICAgInJlZGlyZWN0X3VyaSI6ICJodHRwczovL2Ns",
    "aWVudC5leGFtcGxlLm9yZy9jYiIsCiAgICAic2NvcGUiOiAib3BlbmlkIiwKICAgIC",
    "JzdGF0ZSI6ICJhZjBpZmpzbGRraiIsCiAgICAibm9uY2UiOiAibi0wUzZfV3pBMk1q",
    "IiwKICAgICJtYXhfYWdlIjogODY0MDAKfQ.Nsxa_18VUElVaPjqW_ToI1yrEJ67BgK",
    "b5xsuZRVqzGkfKrOIX7BCx0biSxYGmjK9KJPctH1OC0iQJwXu5YVY-vnW0_PLJb1C2",
    "HG-ztVzcnKZC2gE4i0vgQcpkUOCpW3SEYXnyWnKzuKzqSb1wAZALo5f89B_p6QA6j6",
    "JwBSRvdVsDPdulW8lKxGTbH82czCaQ50rLAg3EYLYaCb4ik4I1zGXE4fvim9FIMs8O",
    "CMmzwIB5S-ujFfzwFjoyuPEV4hJnoVUmXR_W9typPf846lGwA8h9G9oNTIuX8Ft2jf",
    "pnZdFmLg3_wr3Wa5q3a-lfbgF3S9H_8nN3j1i7tLR_5Nz-g",
  ),
  key: {
    kty: "RSA",
    kid: "k2bdc",
    n: joined(
      "x5RbkAZkmpRxia65qRQ1wwSMSxQUnS7gcpVTV_cdHmfmG2ltd2yabEO9XadD8",
      "pJNZubINPpmgHh3J1aD9WRwS05ucmFq3CfFsluLt13_7oX5yDRSKX7poXmT_5",
      "ko8k4NJZPMAO8fPToDTH7kHYbONSE2FYa5GZ60CUsFhSonI-dcMDJ0Ary9lxI",
      "w5k2z4TAdARVWcS7sD07VhlMMshrwsPHBQgTatlkxyIHXbYdtak8fqvNAwr7O",
      "lVEvM_Ipf5OfmdB8Sd-wjzaBsyP4VhJKoi_qdgSzpC694XZeYPq45Sw-q51iF",
      "UlcOlTCI7z6jltUtnR6ySn6XDGFnzH5Fe5ypw",
    ),
    e: "AQAB",
  },
  claims: {
    iss: "s6BhdRkqt3",
    aud: "https://server.example.com",
    response_type: "code id_token",
    client_id: "s6BhdRkqt3",
    redirect_uri: "https://client.example.org/cb",
    scope: "openid",
    state: "af0ifjsldkj",
    nonce: "n-0S6_WzA2Mj",
    max_age: 86400,
  },
} as const;

/** RFC 9126, sections 2.1 and 3: the pushed form, the pushed request object and its key. */
export const RFC_9126 = {
  form: {
    response_type: "code",
    state: "af0ifjsldkj",
    redirect_uri: "https://client.example.org/cb",
    code_challenge: "K2-ltc83acc4h0c9w6ESC_rEMTJ3bww-uCHaoeK1t8U",
    code_challenge_method: "S256",
    scope: "account-information",
  },
  authorization: "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3",
  credentials: "s6BhdRkqt3:7Fjfp0ZBr1KtDRbnfVdmIw",
  object: joined(
    "eyJraWQiOiJrMmJkYyIsImFsZyI6IlJTMjU2In0.eyJpc3MiOiJzNkJoZ",
    "FJrcXQzIiwiYXVkIjoiaHR0cHM6Ly9zZXJ2ZXIuZXhhbXBsZS5jb20iLCJyZXNwb2",
    "5zZV90eXBlIjoiY29kZSIsImNsaWVudF9pZCI6InM2QmhkUmtxdDMiLCJyZWRpcmV",
    "jdF91cmkiOiJodHRwczovL2NsaWVudC5leGFtcGxlLm9yZy9jYiIsInNjb3BlIjoi",
    "YWlzIiwic3RhdGUiOiJhZjBpZmpzbGRraiIsImNvZGVfY2hhbGxlbmdlIjoiSzItb",
    "HRjODNhY2M0aDBjOXc2RVNDX3JFTVRKM2J3dy11Q0hhb2VLMXQ4VSIsImNvZGVfY2",
    "hhbGxlbmdlX21ldGhvZCI6IlMyNTYifQ.O49ffUxRPdNkN3TRYDvbEYVr1CeAL64u",
    "W4FenV3n9WlaFIRHeFblzv-wlEtMm8-tusGxeE9z3ek6FxkhvvLEqEpjthXnyXqqy",
    "Jfq3k9GSf5ay74ml_0D6lHE1hy-kVWg7SgoPQ-GB1xQ9NRhF3EKS7UZIrUHbFUCF0",
    "MsRLbmtIvaLYbQH_Ef3UkDLOGiU7exhVFTPeyQUTM9FF-u3K-zX-FO05_brYxNGLh",
    "VkO1G8MjqQnn2HpAzlBd5179WTzTYhKmhTiwzH-qlBBI_9GLJmE3KOipko9TfSpa2",
    "6H4JOlMyfZFl0PCJwkByS0xZFJ2sTo3Gkk488RQohhgt1I0onw",
  ),
  key: {
    kty: "RSA",
    kid: "k2bdc",
    n: joined(
      "y9Lqv4fCp6Ei-u2-ZCKq83YvbFEk6JMs_pSj76eMkddWRuWX2aBKGHAtKlE",
      "5P7_vn__PCKZWePt3vGkB6ePgzAFu08NmKemwE5bQI0e6kIChtt_6KzT5Oa",
      "aXDFI6qCLJmk51Cc4VYFaxgqevMncYrzaW_50mZ1yGSFIQzLYP8bijAHGVj",
      "dEFgZaZEN9lsn_GdWLaJpHrB3ROlS50E45wxrlg9xMncVb8qDPuXZarvghL",
      "L0HzOuYRadBJVoWZowDNTpKpk2RklZ7QaBO7XDv3uR7s_sf2g-bAjSYxYUG",
      "sqkNA9b3xVW53am_UZZ3tZbFTIh557JICWKHlWj5uzeJXaw",
    ),
    e: "AQAB",
  },
  claims: {
    iss: "s6BhdRkqt3",
    aud: "https://server.example.com",
    response_type: "code",
    client_id: "s6BhdRkqt3",
    redirect_uri: "https://client.example.org/cb",
    scope: "ais",
    state: "af0ifjsldkj",
    code_challenge: "K2-ltc83acc4h0c9w6ESC_rEMTJ3bww-uCHaoeK1t8U",
    code_challenge_method: "S256",
  },
} as const;

/** RFC 8628, sections 3.1, 3.2, 3.4 and 6.1. */
export const RFC_8628 = {
  grant: "urn:ietf:params:oauth:grant-type:device_code",
  deviceCode: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
  userCode: "WDJB-MJHT",
  /** Further codes of section 6.1, which are not codes of the alphabet of this service. */
  numericUserCode: "019-450-730",
  response: ["device_code", "user_code", "verification_uri", "verification_uri_complete", "expires_in", "interval"],
} as const;

/** RFC 9470, section 3: the challenges, in parts. */
export const RFC_9470 = {
  level: { error: "insufficient_user_authentication", acr_values: "myACR" },
  age: { error: "insufficient_user_authentication", max_age: "5" },
} as const;
