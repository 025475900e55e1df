// A bare route with a key check and no ledger, on Fastify or Express: a key is looked up in a set, and an object is returned,
// or prebuilt bytes. Arguments: the packages' folder, the framework, which of both, a file with the bytes, a file with the
// keys, one per line.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, framework, kind, file, keysFile] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
const bytes = readFileSync(file);
const answer = kind === "bytes" ? bytes : JSON.parse(bytes.toString());
const keys = new Set(readFileSync(keysFile, "utf8").split("\n"));
const PATH = "/v2/leaderboard/:window";

const isKnown = (header) => header?.startsWith("Bearer ") && keys.has(header.slice("Bearer ".length));

async function fastify() {
  const app = require("fastify")();
  app.addHook("onRequest", async (request, reply) => {
    if (!isKnown(request.headers.authorization)) return reply.code(401).send({ error: "unauthorized" });
  });
  app.get(PATH, (_request, reply) => {
    reply.header("content-type", "application/json; charset=utf-8").send(answer);
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return app.server.address().port;
}

async function express() {
  const app = require("express")();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use((request, response, next) => {
    if (isKnown(request.headers.authorization)) next();
    else response.status(401).json({ error: "unauthorized" });
  });
  app.get(PATH, (_request, response) => {
    response.type("application/json").send(answer);
  });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return server.address().port;
}

const port = await { fastify, express }[framework]();
console.log(JSON.stringify({ port }));
process.stdin.on("end", () => process.exit(0)).resume();
