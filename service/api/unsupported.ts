// A read that the followed platform does not support ends in an exception, which supported.ts turns into an answer.

/** Thrown by a call that the platform doesn't support. */
export class UnsupportedRead extends Error {
  override readonly name = "UnsupportedRead";
}

export const UNSUPPORTED_NOTE =
  "The platform followed here does not know this. Asking again won't help; this call was free.";

/** For a call that is only part of an answer: the rest of it is still returned. */
export function orUnsupported<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error) => {
    if (error instanceof UnsupportedRead) return null;
    throw error;
  });
}
