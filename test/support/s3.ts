// The part of S3's protocol that a client needs for objects, in this process: put whole or in parts, get with a range, head,
// list, delete. Its contents can be inspected and damaged. Signatures are not verified, they only have to be present.

export interface StandInS3 {
  objects: Map<string, Uint8Array>;
  /** The environment variables with which a program finds it. */
  settings: Record<string, string>;
  stop(): Promise<void>;
}

export function standInS3(): StandInS3 {
  const objects = new Map<string, Uint8Array>();
  const uploads = new Map<string, Map<number, Uint8Array>>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    maxRequestBodySize: 100_000_000,
    async fetch(request) {
      if (!request.headers.get("authorization")?.startsWith("AWS4-HMAC-SHA256 ")) return refused(403);
      const { pathname, searchParams } = new URL(request.url);
      const [, bucket = "", key = ""] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
      const upload = searchParams.get("uploadId");
      if (request.method === "POST" && searchParams.has("uploads")) return began(bucket, key);
      if (upload !== null) return onUpload(request, upload, key, Number(searchParams.get("partNumber")));
      if (key === "") return listed(searchParams.get("prefix") ?? "");
      if (request.method === "PUT") {
        objects.set(key, await request.bytes());
        return new Response(null, { headers: { etag: etagOf(key) } });
      }
      if (request.method === "DELETE") objects.delete(key);
      if (request.method === "DELETE") return new Response(null, { status: 204 });
      return read(request, key);
    },
  });

  const etagOf = (key: string) => `"${Bun.hash(objects.get(key) ?? new Uint8Array()).toString(16)}"`;
  const refused = (status: number) =>
    new Response(`<Error><Code>${status === 404 ? "NoSuchKey" : "AccessDenied"}</Code></Error>`, { status });
  const began = (bucket: string, key: string) => {
    const id = `upload-${uploads.size + 1}`;
    uploads.set(id, new Map());
    return new Response(
      `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  };
  const onUpload = async (request: Request, id: string, key: string, part: number) => {
    const parts = uploads.get(id);
    if (!parts) return refused(404);
    if (request.method === "PUT") {
      parts.set(part, await request.bytes());
      return new Response(null, { headers: { etag: `"${part}"` } });
    }
    const inOrder = [...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
    if (request.method === "POST") objects.set(key, Buffer.concat(inOrder));
    uploads.delete(id);
    return new Response(
      `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"x"</ETag></CompleteMultipartUploadResult>`,
    );
  };
  const listed = (prefix: string) =>
    new Response(
      `<ListBucketResult><IsTruncated>false</IsTruncated>${[...objects]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, bytes]) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`)
        .join("")}</ListBucketResult>`,
      { headers: { "content-type": "application/xml" } },
    );
  const read = (request: Request, key: string) => {
    const bytes = objects.get(key);
    if (!bytes) return refused(404);
    const headers: Record<string, string> = {
      etag: etagOf(key),
      "last-modified": "Tue, 17 Nov 2026 00:00:00 GMT",
    };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
    if (request.method === "HEAD")
      return new Response(null, { headers: { ...headers, "content-length": String(bytes.length) } });
    if (from === undefined) return new Response(Buffer.from(bytes), { headers });
    const part = bytes.slice(Number(from), to ? Number(to) + 1 : undefined);
    return new Response(Buffer.from(part), { status: 206, headers });
  };

  return {
    objects,
    settings: {
      AWS_ENDPOINT: server.url.origin,
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_REGION: "auto",
    },
    stop: () => server.stop(true),
  };
}
