/** Examples of requests in the page at /docs, written by the service (curl) and by the page (further languages). */

/** What an example needs to know about an operation. */
export interface ExampleRequest {
  readonly method: string;
  /** The path with parameters as `:name`, with the required members of the query. */
  readonly path: string;
  /** The caller presents an access token or a key. */
  readonly hasToken: boolean;
  /** The example of the body; undefined: no body. */
  readonly body?: unknown;
  readonly isForm?: boolean;
  /** The part of a file. */
  readonly part?: string;
}

export const EXAMPLE_LANGUAGES = { curl: "curl", javascript: "JavaScript", python: "Python", go: "Go" } as const;
export type ExampleLanguage = keyof typeof EXAMPLE_LANGUAGES;

/** The values of the reader by the name of the parameter, such as `org_id`. */
export type OwnValues = Readonly<Record<string, string>>;

export function requestExample(
  language: ExampleLanguage,
  base: string,
  request: ExampleRequest,
  own: OwnValues = {},
): string {
  const path = request.path.replace(/:(\w+)/g, (_, name: string) => own[name] ?? `{${name}}`);
  return WRITERS[language](base + path, request);
}

type Writer = (url: string, request: ExampleRequest) => string;

const json = (value: unknown, indent = "") => JSON.stringify(value, null, 2).replaceAll("\n", () => `\n${indent}`);
const pairs = (body: unknown) => Object.entries(body as object).map(([name, value]) => [name, String(value)] as const);
const query = (body: unknown) => new URLSearchParams(pairs(body).map(([name, value]) => [name, value])).toString();

const WRITERS: Readonly<Record<ExampleLanguage, Writer>> = {
  curl(url, { method, hasToken, body, isForm, part }) {
    return [
      `curl${method === "GET" ? "" : ` -X ${method}`} ${shell(url)}`,
      ...(hasToken ? [`-H "Authorization: Bearer $TOKEN"`] : []),
      ...(part ? [`-F ${part}=@file`] : []),
      ...(isForm ? pairs(body).map(([name, value]) => `--data-urlencode ${shell(`${name}=${value}`)}`) : []),
      ...(body !== undefined && !isForm ? [`-H "Content-Type: application/json"`, `-d ${shell(json(body))}`] : []),
    ].join(" \\\n  ");
  },
  javascript(url, { method, hasToken, body, isForm, part }) {
    const headers = [
      ...(hasToken ? [`authorization: \`Bearer \${token}\``] : []),
      ...(body !== undefined && !isForm ? [`"content-type": "application/json"`] : []),
    ];
    const content = part
      ? "form"
      : isForm
        ? `new URLSearchParams(${json(body, "  ")})`
        : `JSON.stringify(${json(body, "  ")})`;
    const form = part ? `const form = new FormData();\nform.set(${json(part)}, file);\n` : "";
    return [
      `${form}const response = await fetch(${json(url)}, {`,
      `  method: ${json(method)},`,
      ...(headers.length > 0 ? [`  headers: { ${headers.join(", ")} },`] : []),
      ...(body !== undefined || part ? [`  body: ${content},`] : []),
      "});",
      "console.log(response.status, await response.text());",
    ].join("\n");
  },
  python(url, { method, hasToken, body, isForm, part }) {
    const value = python(body);
    return [
      "import requests",
      "",
      "response = requests.request(",
      `    ${json(method)},`,
      `    ${json(url)},`,
      ...(hasToken ? [`    headers={"Authorization": f"Bearer {token}"},`] : []),
      ...(part ? [`    files={${json(part)}: open("file", "rb")},`] : []),
      ...(body === undefined ? [] : [`    ${isForm ? "data" : "json"}=${value.replaceAll("\n", "\n    ")},`]),
      ")",
      "print(response.status_code, response.text)",
    ].join("\n");
  },
  go(url, { method, hasToken, body, isForm, part }) {
    const text = part
      ? "file"
      : isForm
        ? `strings.NewReader(${json(query(body))})`
        : `strings.NewReader(\`${json(body)}\`)`;
    const hasBody = body !== undefined || part;
    const type = part
      ? "form.FormDataContentType()"
      : isForm
        ? `"application/x-www-form-urlencoded"`
        : `"application/json"`;
    return [
      `request, err := http.NewRequest(${json(method)}, ${json(url)}, ${hasBody ? text : "nil"})`,
      "if err != nil {",
      "\treturn err",
      "}",
      ...(hasToken ? [`request.Header.Set("Authorization", "Bearer "+token)`] : []),
      ...(hasBody ? [`request.Header.Set("Content-Type", ${type})`] : []),
      "response, err := http.DefaultClient.Do(request)",
    ].join("\n");
  },
};

/** In single quotes nothing is special to a shell but the quote. */
function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** JSON as Python writes it. */
function python(value: unknown): string {
  if (value === undefined) return "";
  const literals: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
  const strings: string[] = [];
  const kept = json(value).replace(/"(?:[^"\\]|\\.)*"/g, (text) => {
    strings.push(text);
    return `"${strings.length - 1}"`;
  });
  return kept
    .replace(/\b(?:true|false|null)\b/g, (word) => literals[word] ?? word)
    .replace(/"(\d+)"/g, (_, index: string) => strings[Number(index)] ?? "");
}
