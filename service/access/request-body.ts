// A caller's body within a bound; what is wrong with it becomes a refusal that says so.
import { fault } from "../../contract/errors.ts";
import { readBody } from "../../kit/body.ts";

/** The body's own bytes, measured as they arrive. */
export async function readRequestBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const read = await readBody(request, bytesMax);
  if (read.kind === "whole") return read.bytes;
  if (read.kind === "tooLarge")
    throw fault("payload_too_large", `The body may be ${bytesMax} bytes at the most.`);
  if (!request.signal.aborted) throw read.cause;
  throw fault("invalid_body", "The connection ended before the body did.");
}
