// HTTP that no client library would send. Each case states its expected end: answered in time with a status that is not our
// failure, or cut; never more answers than requests, because a smuggled request's answer would go to someone else.
import { gzipSync } from "node:zlib";

export interface AbuseCase {
  name: string;
  /** Parts to send, with a pause between them. */
  parts: (string | Buffer)[];
  pauseMs?: number;
  /** Repeats the last part, with the pause between. */
  drip?: boolean;
  /** The maximum number of answers; defaults to 1. */
  answersMax?: number;
  /** The first status must be one of these. */
  first?: number[];
  /** Whether the connection must end by itself. */
  mustEnd?: boolean;
}

const GZIP_BOMB = gzipSync(Buffer.alloc(20_000_000));
const request = (line: string, ...headers: string[]) =>
  `${[line, "Host: fuzz.example", ...headers].join("\r\n")}\r\n\r\n`;
const HEALTH = request("GET /health HTTP/1.1");

/** `key` grants access to the calls that read a body. */
export function quickCases(key: string): AbuseCase[] {
  const authorized = [`Authorization: Bearer ${key}`, "Content-Type: application/json"];
  const post = (...headers: string[]) => request("POST /pay/create HTTP/1.1", ...authorized, ...headers);
  const refused = { first: [400, 413, 415, 431], mustEnd: true };
  const chunked = post("Transfer-Encoding: chunked");
  return [
    { name: "garbage", parts: ["\x00\x01\x02\xff garbage\r\n\r\n"], ...refused },
    {
      name: "a TLS hello",
      parts: [Buffer.from("160301020001000001fc0303", "hex"), "\r\n\r\n"],
      mustEnd: true,
    },
    { name: "HTTP/0.9", parts: ["GET /health\r\n\r\n"], first: [400, 505], mustEnd: true },
    { name: "HTTP/1.0 without a host", parts: ["GET /health HTTP/1.0\r\n\r\n"], first: [200], mustEnd: true },
    {
      name: "HTTP/1.0 without a host, with a query",
      parts: ["GET /v2/alerts?limit=1 HTTP/1.0\r\n\r\n"],
      first: [200, 429],
    },
    { name: "HTTP/2 preface", parts: ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], first: [400, 505], mustEnd: true },
    {
      name: "HTTP/9.9",
      parts: ["GET /health HTTP/9.9\r\nHost: a\r\n\r\n"],
      first: [400, 505],
      mustEnd: true,
    },
    { name: "no host", parts: ["GET /health HTTP/1.1\r\n\r\n"], ...refused },
    { name: "two hosts", parts: ["GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"], first: [400] },
    ...[
      "a b/c?d#e@",
      "",
      "[",
      "x:99999",
      "x/v2/me?",
      "\xff",
      "a@b",
      "..",
      "a:b:c",
      "%00",
      "a".repeat(9_000),
    ].map((host) => ({
      name: `the host ${JSON.stringify(host.slice(0, 20))}`,
      parts: [`GET /v2/alerts?limit=1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      first: [200, 400, 429],
    })),
    {
      name: "an absolute target",
      parts: [request("GET http://evil.example/health HTTP/1.1")],
      first: [200, 400, 404],
    },
    {
      name: "an odd absolute target",
      parts: [request("GET http://[/health HTTP/1.1")],
      first: [200, 400, 404],
    },
    { name: "CONNECT", parts: [request("CONNECT evil.example:443 HTTP/1.1")], first: [400, 404, 405] },
    { name: "a star", parts: [request("OPTIONS * HTTP/1.1")], first: [204, 400, 404] },
    { name: "a relative target", parts: [request("GET health HTTP/1.1")], first: [400, 404] },
    { name: "a space in the target", parts: [request("GET /hea lth HTTP/1.1")], first: [400, 404, 505] },
    ...[
      "/checkout/test/%ff",
      "/pay/%ff/page",
      "/checkout/success?session_id=%ff",
      "/recover/link?token=%",
    ].map((path) => ({
      name: path,
      parts: [request(`GET ${path} HTTP/1.1`)],
      first: [400, 404, 429],
    })),
    { name: "path traversal", parts: [request("GET /docs/../../../etc/passwd HTTP/1.1")], first: [400, 404] },
    { name: "a lower-case method", parts: [request("get /health HTTP/1.1")], mustEnd: true },
    { name: "an unknown method", parts: [request("BREW /health HTTP/1.1")], mustEnd: true },
    { name: "bare line feeds", parts: ["GET /health HTTP/1.1\nHost: a\n\n"], first: [200, 400, 505] },
    {
      name: "a folded header",
      parts: ["GET /health HTTP/1.1\r\nHost: a\r\nX-A: b\r\n  c\r\n\r\n"],
      ...refused,
    },
    { name: "a null byte in a header", parts: [request("GET /health HTTP/1.1", "X-A: a\0b")], ...refused },
    { name: "a header without a colon", parts: [request("GET /health HTTP/1.1", "nonsense")], ...refused },
    { name: "a header without a name", parts: [request("GET /health HTTP/1.1", ": b")], ...refused },
    {
      name: "a huge header",
      parts: [request("GET /health HTTP/1.1", `X-A: ${"a".repeat(200_000)}`)],
      ...refused,
    },
    { name: "a huge target", parts: [request(`GET /health?${"a".repeat(200_000)} HTTP/1.1`)], ...refused },
    {
      name: "thousands of headers",
      parts: [request("GET /health HTTP/1.1", ...Array.from({ length: 5_000 }, (_, n) => `X-${n}: a`))],
      ...refused,
    },
    {
      name: "both length headers",
      parts: [post("Content-Length: 4", "Transfer-Encoding: chunked"), `0\r\n\r\n${HEALTH}`],
      ...refused,
    },
    {
      name: "two lengths",
      parts: [post("Content-Length: 4", "Content-Length: 40"), `{}  ${HEALTH}`],
      ...refused,
    },
    { name: "a list of lengths", parts: [post("Content-Length: 2, 2"), "{}"], ...refused },
    { name: "a negative length", parts: [post("Content-Length: -4"), "{}"], ...refused },
    { name: "a signed length", parts: [post("Content-Length: +2"), "{}"], ...refused },
    { name: "a length in hex", parts: [post("Content-Length: 0x2"), "{}"], ...refused },
    { name: "an endless length", parts: [post("Content-Length: 99999999999999999999"), "{}"], ...refused },
    { name: "a length far above the limit", parts: [post("Content-Length: 2000000000"), "{}"], ...refused },
    {
      name: "a body above the limit",
      parts: [post("Content-Length: 100000"), "x".repeat(100_000)],
      first: [413],
    },
    {
      name: "an endless chunked body",
      parts: [chunked, ...Array(40).fill(`10000\r\n${"x".repeat(65_536)}\r\n`)],
      first: [413],
    },
    { name: "a chunk size that is no number", parts: [chunked, "zz\r\n{}\r\n0\r\n\r\n"], ...refused },
    {
      name: "a chunk size that overflows",
      parts: [chunked, "fffffffffffffffff\r\n{}\r\n0\r\n\r\n"],
      ...refused,
    },
    { name: "a negative chunk size", parts: [chunked, "-2\r\n{}\r\n0\r\n\r\n"], ...refused },
    { name: "a chunk longer than it says", parts: [chunked, "1\r\n{}}}}\r\n0\r\n\r\n"], ...refused },
    {
      name: "huge chunk extensions",
      parts: [chunked, `2;${"a".repeat(100_000)}\r\n{}\r\n0\r\n\r\n`],
      first: [400, 413, 431],
    },
    {
      name: "two transfer encodings",
      parts: [post("Transfer-Encoding: chunked, identity"), "0\r\n\r\n"],
      ...refused,
    },
    {
      name: "a gzip transfer encoding",
      parts: [post("Transfer-Encoding: gzip, chunked"), "0\r\n\r\n"],
      first: [400, 501],
    },
    {
      name: "a space before the colon",
      parts: [post("Transfer-Encoding : chunked"), "0\r\n\r\n"],
      ...refused,
    },
    {
      name: "a gzip bomb",
      parts: [post("Content-Encoding: gzip", `Content-Length: ${GZIP_BOMB.length}`), GZIP_BOMB],
      first: [415],
    },
    { name: "a body that never comes, cut", parts: [post("Content-Length: 50"), "{"], first: [] },
    {
      name: "a body on a GET",
      parts: [request("GET /health HTTP/1.1", "Content-Length: 5"), "hello"],
      first: [200, 400],
    },
    {
      name: "a request inside a body",
      parts: [request("GET /health HTTP/1.1", `Content-Length: ${HEALTH.length}`), HEALTH],
      first: [200, 400],
    },
    {
      name: "expecting 100",
      parts: [post("Expect: 100-continue", "Content-Length: 2"), "{}"],
      answersMax: 2,
      first: [100, 400],
    },
    {
      name: "expecting something else",
      parts: [post("Expect: 200-ok", "Content-Length: 2"), "{}"],
      answersMax: 2,
      first: [400, 417],
    },
    { name: "fifty requests at once", parts: [HEALTH.repeat(50)], answersMax: 50, first: [200] },
    {
      name: "requests and then garbage",
      parts: [`${HEALTH.repeat(3)}\xff\xfe\r\n\r\n`],
      answersMax: 4,
      first: [200],
      mustEnd: true,
    },
    {
      name: "an h2c upgrade",
      parts: [request("GET /health HTTP/1.1", "Connection: Upgrade", "Upgrade: h2c")],
      first: [200, 400],
    },
    {
      name: "an upgrade with a body",
      parts: [
        request("POST /ws/alerts HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket", "Content-Length: 3"),
        "abc",
      ],
      first: [400, 405],
    },
    // With a key, because an IP address without one may have used up its rate by now.
    {
      name: "an upgrade of an old version",
      parts: [
        request(
          "GET /ws/alerts HTTP/1.1",
          "Connection: Upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Key: a",
          "Sec-WebSocket-Version: 8",
          `Authorization: Bearer ${key}`,
        ),
      ],
      first: [400, 426],
    },
    {
      name: "an upgrade without a key",
      parts: [
        request(
          "GET /ws/alerts HTTP/1.1",
          "Connection: Upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          `Authorization: Bearer ${key}`,
        ),
      ],
      first: [400, 426],
    },
  ];
}

/** Cases that last as long as the server's timeouts. */
export function slowCases(key: string): AbuseCase[] {
  const post = request(
    "POST /pay/create HTTP/1.1",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    "Content-Length: 5000",
  );
  const chunked = post.replace("Content-Length: 5000", "Transfer-Encoding: chunked");
  const slow = { pauseMs: 2_000, drip: true, mustEnd: true };
  return [
    { name: "silence", parts: [], mustEnd: true },
    { name: "half a head", parts: ["GET /health HTTP/1.1\r\nHost: a\r\n"], mustEnd: true },
    { name: "a head that drips", parts: ["GET /health HTTP/1.1\r\nHost: a\r\n", "X-A: b\r\n"], ...slow },
    { name: "half a body", parts: [post, "{"], mustEnd: true },
    { name: "a body that drips", parts: [post, " "], ...slow },
    { name: "chunks that drip", parts: [chunked, "1\r\n \r\n"], ...slow },
    {
      name: "an unwanted body that drips",
      parts: [request("GET /health HTTP/1.1", "Content-Length: 5000"), " "],
      ...slow,
    },
  ];
}
