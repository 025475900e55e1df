// Webhook endpoints behind real TLS, and the ways they may misbehave towards the caller.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server, type TLSSocket } from "node:tls";
import { systemClock } from "../../kit/clock.ts";
import { createPost, type Posted } from "../../service/webhooks/post.ts";
import { type Certificate, certify } from "../support/certificate.ts";
import { hasProgram } from "../support/programs.ts";
import { noting, type Outcome, type Trial } from "./trial.ts";

const REQUEST = { headers: { "content-type": "application/json" }, body: '{"type":"alerts"}' };
const TIMEOUT_MS = 2_000;

type Manner = (socket: TLSSocket) => void;

const MANNERS: Record<string, { does: Manner; delivered: boolean }> = {
  "answers 200": {
    does: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    delivered: true,
  },
  "keeps answering 100 Continue": {
    does: (socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 100 Continue\r\n\r\n".repeat(500)), 1);
      socket.on("close", () => clearInterval(timer));
    },
    delivered: false,
  },
  "sends one byte at a time": {
    does: (socket) => {
      const timer = setInterval(() => socket.write("H"), 100);
      socket.on("close", () => clearInterval(timer));
    },
    delivered: false,
  },
  "closes at once": { does: (socket) => socket.destroy(), delivered: false },
  "never answers": { does: () => {}, delivered: false },
  "sends a head without an end": {
    does: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write(`x: ${"y".repeat(4_000)}\r\n`), 1);
      socket.on("close", () => clearInterval(timer));
    },
    delivered: false,
  },
};

export const tlsEndpoints: Trial = {
  name: "webhooks over real TLS: right and wrong names, endpoints that misbehave",
  holds: "delivered only to the right certificate; every attempt ends by its deadline",
  async run({ factor }): Promise<Outcome> {
    if (!hasProgram("openssl")) return { tried: 0, errors: [], skipped: "openssl is not installed" };
    const folder = mkdtempSync(join(tmpdir(), "crowdtape-tls-"));
    const errors: string[] = [];
    let tried = 0;
    const check = async (name: string, posted: Promise<Posted>, isGood: boolean) => {
      tried++;
      const { outcome, durationMs } = await posted;
      noting(errors)((outcome === "delivered") === isGood, `${name}: ${outcome}`);
      noting(errors)(durationMs < 3 * TIMEOUT_MS, `${name}: it took ${durationMs} ms`);
    };
    try {
      const good = certify(folder, "hooks.example");
      const post = (ca: string) =>
        createPost({ targets: "any", clock: systemClock(), timeoutMs: TIMEOUT_MS, resolve: local, ca });
      for (let round = 0; round < factor; round++)
        for (const [name, { does, delivered }] of Object.entries(MANNERS)) {
          const server = await listen(good, does);
          const call = (host: string, ca: string) =>
            post(ca)(`https://${host}:${portOf(server)}/in`, REQUEST, new AbortController().signal);
          await check(`an endpoint that ${name}`, call("hooks.example", good.cert), delivered);
          await check(`another name, ${name}`, call("other.example", good.cert), false);
          server.close();
        }
      const plain = createPlain((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n")).listen(0, "127.0.0.1");
      const port = (plain.address() as { port: number }).port;
      const unsecured = post(good.cert)(
        `https://hooks.example:${port}/`,
        REQUEST,
        new AbortController().signal,
      );
      await check("no TLS behind https", unsecured, false);
      plain.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return { tried, errors };
  },
};

const local = async () => ["127.0.0.1"];
const portOf = (server: Server) => (server.address() as { port: number }).port;

function listen(certificate: Certificate, does: Manner): Promise<Server> {
  const server = createServer(certificate, (socket) => {
    socket.on("error", () => {});
    socket.once("data", () => does(socket));
  });
  server.on("tlsClientError", () => {});
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
