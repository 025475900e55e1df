// Compressed bodies, and readers that hardly read: neither costs the program its memory, nor other callers their answers.
import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { ask } from "../fuzz/asking.ts";
import type { Subject } from "../fuzz/subject.ts";
import { noting, type Outcome, type Trial } from "./trial.ts";

const POSTS = ["/pay/create", "/v2/keys", "/v2/batch", "/v2/webhooks", "/mcp", "/free-key"];
const BOMB = Buffer.alloc(50_000_000, 32);
const GROWTH_BYTES_MAX = 150_000_000;

const packed: Trial = {
  name: "packed request bodies: gzip, deflate, Brotli, twice packed, mislabelled, bombs of 50 MB",
  holds: "refused with 4xx and never unpacked; memory does not follow what they unpack to",
  async run({ subject, key, factor }): Promise<Outcome> {
    const errors: string[] = [];
    const small = Buffer.from('{"plan":"credits","amount":5}');
    const bomb = gzipSync(BOMB);
    const kinds: [string, Buffer][] = [
      ["gzip", gzipSync(small)],
      ["deflate", deflateSync(small)],
      ["br", brotliCompressSync(small)],
      ["gzip, gzip", gzipSync(gzipSync(small))],
      ["zstd", small],
      ["gzip", small],
      ["gzip", bomb.subarray(0, 60_000)],
      ["gzip", gzipSync(bomb)],
      ["x-unknown", small],
    ];
    const before = subject.residentBytes();
    let tried = 0;
    for (let round = 0; round < factor; round++)
      for (const path of POSTS)
        for (const [encoding, body] of kinds) {
          tried++;
          const response = await fetch(subject.url + path, {
            method: "POST",
            headers: {
              authorization: `Bearer ${key}`,
              "content-type": "application/json",
              "content-encoding": encoding,
            },
            body: new Uint8Array(body),
          });
          await response.arrayBuffer();
          const { status } = response;
          noting(errors)(status >= 400 && status < 500, `${path} took ${encoding}: ${status}`);
        }
    const grown = subject.residentBytes() - before;
    noting(errors)(grown < GROWTH_BYTES_MAX, `it holds ${grown} bytes more`);
    return { tried, errors };
  },
};

const CALLERS = 40;

const slowReaders: Trial = {
  name: "exports asked for by readers that take 20 bytes a tenth of a second",
  holds: "other callers are answered meanwhile; memory is bounded",
  async run({ subject, key, factor }): Promise<Outcome> {
    const errors: string[] = [];
    const before = subject.residentBytes();
    const readers = Array.from({ length: CALLERS }, () => slowReader(subject, key));
    for (let asked = 0; asked < 20 * factor; asked++) {
      const { status } = await ask(subject, key, "/v2/fills?limit=5");
      noting(errors)(status === 200, `another caller was answered with ${status}`);
      await Bun.sleep(100);
    }
    const refused = readers.filter((reader) => /^HTTP\/1\.1 5/.test(reader.head())).length;
    noting(errors)(refused === 0, `${refused} exports failed`);
    const grown = subject.residentBytes() - before;
    noting(errors)(grown < GROWTH_BYTES_MAX, `it holds ${grown} bytes more`);
    for (const reader of readers) reader.stop();
    return { tried: CALLERS, errors };
  },
};

/** Requests the same export repeatedly on one connection, and reads hardly any of it. */
function slowReader({ port }: Subject, key: string) {
  const line = connect({ port, host: "127.0.0.1", noDelay: true });
  const request = `GET /v2/fills?format=csv&limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  let head = "";
  line.on("error", () => {});
  line.pause();
  line.write(request.repeat(20));
  const timer = setInterval(() => {
    const part = line.read(20);
    if (part && head.length < 20) head += part.toString("latin1");
  }, 100);
  return {
    head: () => head,
    stop() {
      clearInterval(timer);
      line.destroy();
    },
  };
}

export const BODIES: readonly Trial[] = [packed];
export const READERS: readonly Trial[] = [slowReaders];
