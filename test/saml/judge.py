"""Judges the responses of the corpus by one of three implementations of SAML from Debian, named by the argument.

A process has one implementation: two bindings of libxmlsec disturb each other. Standard input: {"service", "acs", "idp", "ssoUrl", "requestId", "serviceKey", "serviceCertificate", "cases": [...]}; a
case has "message" (Base64), "certificates" (Base64 of DER), "signedElement" and "encrypted". Standard output: a list of
the NameID that the implementation accepted, or null.
"""
import base64
import json
import logging
import os
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
corpus = json.load(sys.stdin)


def key_body():
    return "".join(line for line in corpus["serviceKey"].splitlines() if not line.startswith("-----"))


def key_descriptor(certificate, use):
    return (
        f'<md:KeyDescriptor use="{use}"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>'
        f"<ds:X509Certificate>{certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"
    )


def idp_metadata(case):
    keys = "".join(key_descriptor(certificate, "signing") for certificate in case["certificates"])
    return (
        f'<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{corpus["idp"]}">'
        f'<md:IDPSSODescriptor protocolSupportEnumeration="{PROTOCOL}">{keys}'
        f'<md:SingleSignOnService Binding="{REDIRECT}" Location="{corpus["ssoUrl"]}"/>'
        f"</md:IDPSSODescriptor></md:EntityDescriptor>"
    )


def service_metadata(case):
    keys = key_descriptor(corpus["serviceCertificate"], "encryption")
    wants = str(case["signedElement"] == "assertion").lower()
    return (
        f'<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{corpus["service"]}">'
        f'<md:SPSSODescriptor protocolSupportEnumeration="{PROTOCOL}" WantAssertionsSigned="{wants}">{keys}'
        f'<md:AssertionConsumerService Binding="{POST}" Location="{corpus["acs"]}" index="0" isDefault="true"/>'
        f"</md:SPSSODescriptor></md:EntityDescriptor>"
    )


def judge_onelogin(case):
    from onelogin.saml2.auth import OneLogin_Saml2_Auth
    from urllib.parse import urlparse

    acs = urlparse(corpus["acs"])
    settings = {
        "strict": True,
        "sp": {
            "entityId": corpus["service"],
            "assertionConsumerService": {"url": corpus["acs"], "binding": POST},
            "privateKey": key_body(),
            "x509cert": corpus["serviceCertificate"],
        },
        "idp": {
            "entityId": corpus["idp"],
            "singleSignOnService": {"url": corpus["ssoUrl"], "binding": REDIRECT},
            "x509cert": case["certificates"][0],
            "x509certMulti": {"signing": case["certificates"]},
        },
        "security": {"wantAssertionsSigned": case["signedElement"] == "assertion", "rejectDeprecatedAlgorithm": True},
    }
    request = {
        "https": "on",
        "http_host": acs.netloc,
        "script_name": acs.path,
        "get_data": {},
        "post_data": {"SAMLResponse": case["message"]},
    }
    auth = OneLogin_Saml2_Auth(request, settings)
    auth.process_response(request_id=corpus["requestId"])
    return auth.get_nameid() if auth.is_authenticated() and not auth.get_errors() else None


def judge_lasso(case):
    import lasso

    server = lasso.Server.newFromBuffers(service_metadata(case), corpus["serviceKey"])
    server.setEncryptionPrivateKey(corpus["serviceKey"])
    server.addProviderFromBuffer(lasso.PROVIDER_ROLE_IDP, idp_metadata(case))
    login = lasso.Login(server)
    login.processAuthnResponseMsg(case["message"])
    login.acceptSso()
    return login.nameIdentifier.content


def judge_pysaml2(case):
    from saml2 import BINDING_HTTP_POST
    from saml2.client import Saml2Client
    from saml2.config import SPConfig

    config = SPConfig()
    config.load({
        "entityid": corpus["service"],
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "service": {"sp": {
            "endpoints": {"assertion_consumer_service": [(corpus["acs"], BINDING_HTTP_POST)]},
            "want_assertions_signed": case["signedElement"] == "assertion",
            "want_assertions_or_response_signed": True,
            "want_response_signed": False,
            "allow_unsolicited": False,
        }},
        "metadata": {"inline": [idp_metadata(case)]},
        "encryption_keypairs": [{"key_file": os.environ["SERVICE_KEY_FILE"], "cert_file": os.environ["SERVICE_CERTIFICATE_FILE"]}],
        "accepted_time_diff": 60,
    })
    client = Saml2Client(config=config)
    response = client.parse_authn_request_response(case["message"], BINDING_HTTP_POST, {corpus["requestId"]: "/"})
    return response.name_id.text if response is not None else None


def verdict(judge, case):
    try:
        return judge(case)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return None


judges = {"python3-onelogin-saml2": judge_onelogin, "python3-lasso": judge_lasso, "python3-pysaml2": judge_pysaml2}
# The libraries print to standard output.
output, sys.stdout = sys.stdout, open(os.devnull, "w")
name = sys.argv[1]
output.write(json.dumps({name: [verdict(judges[name], case) for case in corpus["cases"]]}))
