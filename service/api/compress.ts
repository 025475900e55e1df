// What is sent often and never changes is compressed once; who can't read that gets it as it is.

type Encoding = "gzip" | "br";

/** What is listed with a quality of 0 is refused. */
const REFUSED: Record<Encoding, RegExp> = {
  gzip: /gzip\s*;\s*q=0(\.0*)?\s*(,|$)/i,
  br: /br\s*;\s*q=0(\.0*)?\s*(,|$)/i,
};

export function accepts(header: string | null, encoding: Encoding): boolean {
  return header?.includes(encoding) === true && !REFUSED[encoding].test(header);
}

/** A document of which each form is made when it is first asked for. */
export function compressible(make: () => string) {
  let plain: Uint8Array<ArrayBuffer> | null = null;
  let gzip: Uint8Array<ArrayBuffer> | null = null;
  const encoder = new TextEncoder();
  return (request: Request, headers: Record<string, string>): Response => {
    plain ??= encoder.encode(make());
    const common = { ...headers, vary: "accept-encoding" };
    if (!accepts(request.headers.get("accept-encoding"), "gzip"))
      return new Response(plain, { headers: common });
    gzip ??= Bun.gzipSync(plain);
    return new Response(gzip, { headers: { ...common, "content-encoding": "gzip" } });
  };
}
