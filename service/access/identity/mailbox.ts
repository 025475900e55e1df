// E-mail addresses: which texts are one, and which of them reach the same mailbox.
import { fault } from "../../../contract/errors.ts";

/** Not the whole grammar: what mail systems really hand out, and nothing that could become a second header. */
const ADDRESS = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const LENGTH_MAX = 254;
/** These ignore dots before the @. */
const DOTLESS = new Set(["gmail.com", "googlemail.com"]);

/** Trimmed and in lower case, or the fault that asks for another. */
export function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > LENGTH_MAX || !ADDRESS.test(email)) {
    throw fault("invalid_parameter", "This does not look like an e-mail address.", { param: "email" });
  }
  return email;
}

/** One name for all spellings of a mailbox: what follows a plus goes, and dots where they mean nothing. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const name = email.slice(0, at).split("+")[0] || email.slice(0, at);
  if (!DOTLESS.has(domain)) return `${name}@${domain}`;
  return `${name.replaceAll(".", "") || name}@gmail.com`;
}
