// What is sent often and never changes is compressed once; who can't read that gets it as it is.

export const acceptsEncoding = (request: Request, encoding: "gzip" | "br"): boolean => {
  const header = request.headers.get("accept-encoding") ?? "";
  return new RegExp(`(^|[,\\s])${encoding}\\s*(,|$|;(?!\\s*q=0(\\.0*)?\\s*(,|$)))`, "i").test(header);
};

/** A document of which each form is made when it is first asked for. */
export function compressible(make: () => string) {
  let plain: Uint8Array<ArrayBuffer> | null = null;
  let gzip: Uint8Array<ArrayBuffer> | null = null;
  const encoder = new TextEncoder();
  return (request: Request, headers: Record<string, string>): Response => {
    plain ??= encoder.encode(make());
    const common = { ...headers, vary: "accept-encoding" };
    if (!acceptsEncoding(request, "gzip")) return new Response(plain, { headers: common });
    gzip ??= Bun.gzipSync(plain);
    return new Response(gzip, { headers: { ...common, "content-encoding": "gzip" } });
  };
}
