/**
 * Claims of tokens of workloads, as the issuers document or recorded them. Times and the issuer are of the test.
 * GitHub: docs.github.com/actions/reference/security/oidc. GitLab: docs.gitlab.com/ci/secrets/id_token_authentication,
 * merge request 116867. Kubernetes 1.30: a projected token of a pod. AWS: IAM User Guide, "Understanding token claims".
 * Google Cloud: "Verify VM identity". Entra: "Access token claims reference", version 1.0. SPIFFE: JWT-SVID, section 3.
 */
import type { TrustPresetName } from "../../src/flows/service-accounts/trust-presets.ts";

type Claims = Readonly<Record<string, unknown>>;

export interface RecordedWorkload {
  /** The inputs of the preset that admit the workload, without the issuer. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly claims: Claims;
  /** Changes after which the token is of a third party, or of another workload of the owner. */
  readonly foreign: readonly Claims[];
}

const COMMIT = "ac3a0b5e9a3cb1f2e7d60d6cbd33cd09e5dc7a11";

export const RECORDED: Readonly<Record<Exclude<TrustPresetName, "other">, RecordedWorkload>> = {
  github: {
    inputs: { repository_id: "74", ref: "refs/heads/main", environment: "prod" },
    claims: {
      jti: "example-id",
      sub: "repo:octo-org/octo-repo:environment:prod",
      environment: "prod",
      ref: "refs/heads/main",
      sha: COMMIT,
      repository: "octo-org/octo-repo",
      repository_owner: "octo-org",
      actor_id: "12",
      repository_visibility: "private",
      repository_id: "74",
      repository_owner_id: "65",
      run_id: "example-run-id",
      run_number: "10",
      run_attempt: "2",
      runner_environment: "github-hosted",
      actor: "octocat",
      workflow: "example-workflow",
      head_ref: "",
      base_ref: "",
      event_name: "workflow_dispatch",
      ref_type: "branch",
      job_workflow_ref: "octo-org/octo-automation/.github/workflows/oidc.yml@refs/heads/main",
    },
    // The name of a deleted repository, registered again by a third party, has a new id.
    foreign: [
      { repository_id: "75" },
      { ref: "refs/heads/main-evil" },
      { ref: "refs/tags/main" },
      { environment: "dev" },
    ],
  },
  gitlab: {
    inputs: { project_id: "28", ref: "refs/heads/main" },
    claims: {
      namespace_id: "1",
      namespace_path: "root",
      project_id: "28",
      project_path: "root/scan-execution-policies",
      user_id: "1",
      user_login: "root",
      user_email: "admin@example.com",
      pipeline_id: "455",
      pipeline_source: "push",
      job_id: "1123",
      ref: "main",
      ref_type: "branch",
      ref_path: "refs/heads/main",
      ref_protected: "true",
      runner_id: 1,
      runner_environment: "self-hosted",
      sha: COMMIT,
      jti: "63ab75f4-2606-4f0e-a500-86f90ab13a85",
      sub: "project_path:root/scan-execution-policies:ref_type:branch:ref:main",
    },
    // A tag has the short name of the branch, and the full name of a tag.
    foreign: [{ project_id: "29" }, { ref_type: "tag", ref_path: "refs/tags/main" }, { project_id: 28 }],
  },
  kubernetes: {
    inputs: { namespace: "payments", service_account: "importer", uid: "e6a8680e-d103-4cce-80ea-03acbbeacf7d" },
    claims: {
      "kubernetes.io": {
        namespace: "payments",
        node: { name: "worker-1", uid: "517eb86e-b863-451b-bf70-86cb61439a3a" },
        pod: { name: "importer-5d9c", uid: "0d8b260e-ef0e-45fb-be8e-ff44f97722e8" },
        serviceaccount: { name: "importer", uid: "e6a8680e-d103-4cce-80ea-03acbbeacf7d" },
        warnafter: 1717674962,
      },
      sub: "system:serviceaccount:payments:importer",
    },
    foreign: [
      { sub: "system:serviceaccount:payments-evil:importer" },
      { "kubernetes.io": { serviceaccount: { name: "importer", uid: "00000000-d103-4cce-80ea-03acbbeacf7d" } } },
    ],
  },
  aws: {
    inputs: { principal_arn: "arn:aws:iam::123456789012:role/DataProcessingRole" },
    claims: {
      sub: "arn:aws:iam::123456789012:role/DataProcessingRole",
      jti: "xyz123-def456-ghi789-jkl012",
      "https://sts.amazonaws.com/": {
        aws_account: "123456789012",
        source_region: "us-east-1",
        org_id: "o-abc1234567",
        principal_tags: { environment: "production" },
      },
    },
    foreign: [
      { sub: "arn:aws:iam::123456789012:role/DataProcessingRole2" },
      { sub: "arn:aws:iam::999999999999:role/DataProcessingRole" },
    ],
  },
  gcp: {
    inputs: { unique_id: "112179062720391305885" },
    claims: {
      azp: "112179062720391305885",
      email: "importer@acme.iam.gserviceaccount.com",
      email_verified: true,
      sub: "112179062720391305885",
    },
    // A service account that was deleted and created again has the old address and a new unique id.
    foreign: [{ sub: "112179062720391305886" }, { sub: 112179062720391 }],
  },
  azure: {
    inputs: {
      tenant_id: "72f988bf-86f1-41af-91ab-2d7cd011db47",
      object_id: "f3b0c442-98fc-4c14-9afb-4c8996fb9242",
      audience: "api://identity-service",
    },
    claims: {
      appid: "0f5b8a3e-5c1d-4a43-a2ad-0d8a0f6f62b1",
      appidacr: "2",
      idtyp: "app",
      oid: "f3b0c442-98fc-4c14-9afb-4c8996fb9242",
      sub: "f3b0c442-98fc-4c14-9afb-4c8996fb9242",
      tid: "72f988bf-86f1-41af-91ab-2d7cd011db47",
      uti: "x0J2GW3eD0mnVlJNmg0BAA",
      ver: "1.0",
      aud: "api://identity-service",
    },
    foreign: [{ oid: "00000000-98fc-4c14-9afb-4c8996fb9242" }, { tid: "00000000-86f1-41af-91ab-2d7cd011db47" }],
  },
  spiffe: {
    inputs: { trust_domain: "acme.test", path: "payments/importer" },
    claims: { sub: "spiffe://acme.test/payments/importer" },
    foreign: [
      { sub: "spiffe://acme.test/payments/importer2" },
      { sub: "spiffe://acme.test.evil/payments/importer" },
      { sub: "spiffe://acme.test/payments" },
    ],
  },
};
