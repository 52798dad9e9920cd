/** The address with the first character of the local part alone, as in `a***@example.com`. */
export function maskEmail(email: string): string {
  return `${[...email][0]}***${email.slice(email.lastIndexOf("@"))}`;
}
