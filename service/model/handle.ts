// A handle is compared without case and without its optional leading @. The form is loose on purpose: the
// platform decides which handles exist; we only refuse what can not be one.

const HANDLE = /^[\p{L}\p{N}_.-]{1,40}$/u;

/** The form used as a key, or null when the text can not be a handle. */
export function normaliseHandle(text: string): string | null {
  const bare = text.startsWith("@") ? text.slice(1) : text;
  return HANDLE.test(bare) ? bare.toLowerCase() : null;
}
