// The range of a file that a request asks for, and the response that sends it. One range only: with several, or with an
// invalid one, the whole file is sent, as HTTP allows.
import { fault } from "../../contract/errors.ts";
import type { ServedFile } from "./answer.ts";

export interface FilePart {
  start: number;
  /** Exclusive. */
  end: number;
  /** Whether a range was requested: 206. */
  isPart: boolean;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

export function partOf(request: Request, { size, sha256 }: Pick<ServedFile, "size" | "sha256">): FilePart {
  const whole = { start: 0, end: size, isPart: false };
  const condition = request.headers.get("if-range");
  const [, first = "", last = ""] = RANGE.exec(request.headers.get("range") ?? "") ?? [];
  if (first === "" && last === "") return whole;
  // The caller has part of another version.
  if (condition !== null && condition !== `"${sha256}"`) return whole;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (start >= end) throw fault("range_not_satisfiable", `The file has ${size} bytes.`);
  return { start, end, isPart: true };
}

export function fileResponse(
  request: Request,
  file: ServedFile,
  { start, end, isPart }: FilePart,
  headers: Record<string, string>,
): Response {
  return new Response(request.method === "HEAD" ? null : file.bytes(start, end), {
    status: isPart ? 206 : 200,
    headers: {
      ...headers,
      "content-type": file.contentType,
      "content-length": String(end - start),
      "content-disposition": `attachment; filename="${file.name}"`,
      "accept-ranges": "bytes",
      etag: `"${file.sha256}"`,
      ...(isPart ? { "content-range": `bytes ${start}-${end - 1}/${file.size}` } : {}),
    },
  });
}
