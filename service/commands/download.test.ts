import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { download } from "./download.ts";

const CASES: Record<string, string> = {
  "/plain": "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nfrogs",
  "/chunks": "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nfro\r\n2;x=y\r\ngs\r\n0\r\n\r\n",
  "/cut": "HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nfrogs",
  "/cut-chunks": "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nfro",
  "/elsewhere": "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n",
  "/long": `HTTP/1.1 200 OK\r\n\r\n${"x".repeat(5_000)}`,
  "/other": "SSH-2.0",
};

test("a text is downloaded whole or not at all, and from no address that is not public", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (request) => socket.end(CASES[String(request).split(" ")[1] ?? ""] ?? ""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const get = (path: string) =>
    download(`http://127.0.0.1:${port}${path}`, { targets: "any", bytesMax: 4_000 });
  try {
    expect([await get("/plain"), await get("/chunks")]).toEqual(["frogs", "frogs"]);
    for (const [path, sentence] of [
      ["/cut", "cut off"],
      ["/cut-chunks", "cut off"],
      ["/elsewhere", "302"],
      ["/long", "more than"],
      ["/other", "not HTTP"],
    ] as const)
      await expect(get(path)).rejects.toThrow(sentence);
    for (const url of [
      `http://127.0.0.1:${port}/plain`,
      "https://127.0.0.1/",
      "https://localhost/",
      "https://10.0.0.1/",
    ])
      await expect(download(url, { targets: "public" })).rejects.toThrow();
  } finally {
    server.close();
  }
});
