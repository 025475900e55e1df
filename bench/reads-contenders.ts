// The servers in the reads benchmark, each in its own process on one core: ours, and its peers with the same bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, startChild, startServer } from "./kit/child.ts";
import { onServerCore } from "./kit/machine.ts";
import { nodePeer, programOf } from "./kit/peers.ts";
import { START_ENVIRONMENT } from "./kit/product.ts";
import type { ReadsReady } from "./reads-subject.ts";

export interface ReadsSubject {
  name: string;
  url: string;
  pid: number;
  /** Of the accounts that call in turn. */
  keysFile: string;
  stop(): Promise<void>;
}

export const OURS = "Crowdtape, metered";
const ALONE = "Crowdtape, metered, one account";
export const CROWDED = "Crowdtape, metered, 10,000 accounts";
export const FREE = "Crowdtape, metering off";
export const BARE = "bare Bun, the same bytes";
export const NGINX = "nginx, a file";
export const FASTIFY = "Fastify, key check, an object";
const FASTIFY_BYTES = "Fastify, key check, ready bytes";
const EXPRESS = "Express, key check, an object";

/** Accounts that call in turn: as in real traffic, a single one, and more than any page cache holds. */
export const ACCOUNTS = 150;
const ONE_ACCOUNT = 1;
const MANY_ACCOUNTS = 10_000;

const ANSWER_FILE = "answer.json";
const HEADERS_FILE = "headers.json";
/** The runtime writes these headers itself. */
const OWN_HEADERS = ["date", "content-length", "content-encoding"];

interface StoredAnswer {
  path: string;
  file: string;
  keysFile: string;
}

export async function startSubjects(folder: string): Promise<{ subjects: ReadsSubject[]; bytes: number }> {
  const ours = await startOurs("metered", [ACCOUNTS, ONE_ACCOUNT]);
  const crowded = await startOurs("metered", [MANY_ACCOUNTS]);
  const free = await startOurs("free", [ACCOUNTS]);
  const keysFile = ours.keys[ACCOUNTS] ?? "";
  const { pathname, search } = new URL(ours.url);
  const answer = { path: pathname + search, file: join(folder, ANSWER_FILE), keysFile };
  const bytes = await saveAnswer(folder, ours.url, keysFile);
  const subjects = [
    { ...ours, name: OURS, keysFile },
    { ...ours, name: ALONE, keysFile: ours.keys[ONE_ACCOUNT] ?? "", stop: async () => {} },
    { ...crowded, name: CROWDED, keysFile: crowded.keys[MANY_ACCOUNTS] ?? "" },
    { ...free, name: FREE, keysFile: free.keys[ACCOUNTS] ?? "" },
    await startBare(folder, answer),
    await startNginx(folder, answer),
    await startNode(FASTIFY, ["fastify", "object"], answer),
    await startNode(FASTIFY_BYTES, ["fastify", "bytes"], answer),
    await startNode(EXPRESS, ["express", "object"], answer),
  ];
  return { subjects, bytes };
}

async function startOurs(kind: "metered" | "free", crowds: readonly number[]) {
  const { ready, ...child } = await startOwn([kind, ...crowds.map(String)]);
  return { ...ready, ...child };
}

async function startOwn(kind: readonly string[]) {
  const program = join(import.meta.dir, "reads-subject.ts");
  const child = startChild(onServerCore([process.execPath, program, ...kind]), START_ENVIRONMENT);
  return { ready: await child.next<ReadsReady>(), pid: child.pid, stop: child.stop };
}

/** Saves our server's answer, for its peers to serve too. */
async function saveAnswer(folder: string, url: string, keysFile: string): Promise<number> {
  const [key] = readFileSync(keysFile, "utf8").split("\n");
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const bytes = await answer.bytes();
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.includes(name)));
  writeFileSync(join(folder, ANSWER_FILE), bytes);
  writeFileSync(join(folder, HEADERS_FILE), JSON.stringify(headers));
  return bytes.length;
}

async function startBare(folder: string, { path, file, keysFile }: StoredAnswer): Promise<ReadsSubject> {
  const { ready, ...child } = await startOwn(["bare", file, join(folder, HEADERS_FILE)]);
  return { name: BARE, url: ready.url + path, keysFile, ...child };
}

async function startNginx(folder: string, { path, keysFile }: StoredAnswer): Promise<ReadsSubject> {
  const port = freePort();
  const conf = join(folder, "nginx.conf");
  writeFileSync(
    conf,
    `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; open_file_cache max=10;
      client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
      uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      server {
        listen 127.0.0.1:${port};
        location / { default_type application/json; root ${folder}; try_files /${ANSWER_FILE} =404; }
      }
    }`,
  );
  const nginx = programOf("nginx", "apt-get install nginx");
  // Started as root it would drop to nobody, who may not read the folder: without a master process it keeps its user.
  const server = await startServer(onServerCore([nginx, "-p", folder, "-c", conf]), port);
  return { name: NGINX, url: `http://127.0.0.1:${port}${path}`, keysFile, ...server };
}

async function startNode(
  name: string,
  kind: [framework: string, answer: string],
  { path, file, keysFile }: StoredAnswer,
): Promise<ReadsSubject> {
  const child = startChild(onServerCore(await nodePeer("http", ...kind, file, keysFile)));
  const { port } = await child.next<{ port: number }>();
  return { name, url: `http://127.0.0.1:${port}${path}`, keysFile, pid: child.pid, stop: child.stop };
}
