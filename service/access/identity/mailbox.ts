// E-mail addresses: which strings are valid, and which of them reach the same mailbox.
import { fault } from "../../../contract/errors.ts";

/** Not the whole grammar: only what mail systems really issue, and nothing that could inject a header. */
const ADDRESS = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const LENGTH_MAX = 254;
/** These ignore dots before the @. */
const DOTLESS = new Set(["gmail.com", "googlemail.com"]);

/** Trimmed and lower-cased, or a fault. */
export function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > LENGTH_MAX || !ADDRESS.test(email)) {
    throw fault("invalid_parameter", "This does not look like an e-mail address.", { param: "email" });
  }
  return email;
}

/** One canonical form of a mailbox: strips a plus suffix, and dots where they are ignored. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const name = email.slice(0, at).split("+")[0] || email.slice(0, at);
  if (!DOTLESS.has(domain)) return `${name}@${domain}`;
  return `${name.replaceAll(".", "") || name}@gmail.com`;
}
