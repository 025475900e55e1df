// Reads a body of bytes as it arrives and never holds more than its bound, whatever the sender says its length is.

export type BodyRead =
  | { kind: "whole"; bytes: Uint8Array }
  /** More than the bound; the rest is not read. */
  | { kind: "tooLarge" }
  /** The connection closed before the body was complete. */
  | { kind: "cut"; cause: unknown };

export async function readBody(
  source: Pick<Request | Response, "headers" | "body">,
  bytesMax: number,
): Promise<BodyRead> {
  if (Number(source.headers.get("content-length") ?? 0) > bytesMax) return { kind: "tooLarge" };
  if (!source.body) return { kind: "whole", bytes: new Uint8Array() };
  const reader = source.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > bytesMax) {
        reader.cancel().catch(() => {});
        return { kind: "tooLarge" };
      }
      chunks.push(value);
    }
  } catch (cause) {
    return { kind: "cut", cause };
  }
  const [only] = chunks;
  return { kind: "whole", bytes: chunks.length === 1 && only ? only : Buffer.concat(chunks, size) };
}
