/** Returns a response with the expected status; throws an error for another status. */
export function expectStatus<Answer extends { readonly status: number; readonly body: unknown }>(
  status: number,
  answer: Answer,
): Answer {
  if (answer.status === status) return answer;
  throw new Error(`${answer.status} in place of ${status}: ${JSON.stringify(answer.body)}`);
}
