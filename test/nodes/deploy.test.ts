// Deployment files and the operating page mention only existing names: settings, probes, ports, metrics, commands.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { START_ENVIRONMENT } from "../../bench/kit/product.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { makeVapidKeys } from "../../kit/vapid-keys.ts";
import { readConfig } from "../../service/config.ts";
import { createService } from "../../service/service.ts";
import { SETTINGS } from "../../service/settings.ts";
import { openSimulator } from "../../simulator/open.ts";
import { serveSimulator } from "../../simulator/server/serve.ts";
import { eventually } from "../support/eventually.ts";
import { needing } from "../support/needing.ts";
import { programPath } from "../support/programs.ts";
import { freePort, supervise, temporaryFolder } from "../support/supervised.ts";

const root = join(import.meta.dir, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifests = readdirSync(join(root, "deploy/kubernetes"))
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => ([Bun.YAML.parse(read(`deploy/kubernetes/${name}`))] as Fields[]).flat());

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields => (value ?? {}) as Fields;
const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, name) => fields(inner)[name], value);

interface Container {
  name: string;
  command?: string[];
  env?: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  [probe: string]: unknown;
}

const containers = manifests.flatMap(
  (one) => (at(one, "spec.template.spec.containers") ?? []) as Container[],
);
const compose = Bun.YAML.parse(read("deploy/compose.yaml")) as { services: Record<string, Fields> };
const ours = Object.entries(compose.services).filter(([, service]) => service.image === "crowdtape");
const settingsOf = (kind: string) =>
  fields(manifests.find((one) => one.kind === kind)?.[kind === "Secret" ? "stringData" : "data"]);

describe("a node's configuration", () => {
  const dockerfile = read("Dockerfile");
  const named: [string, string[]][] = [
    [
      "Dockerfile",
      [...(/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? "").matchAll(/(\w+)=/g)].map((match) => String(match[1])),
    ],
    ...ours.map(([name, service]): [string, string[]] => [
      `compose ${name}`,
      Object.keys(fields(service.environment)),
    ]),
    ["ConfigMap", Object.keys(settingsOf("ConfigMap"))],
    ["Secret", Object.keys(settingsOf("Secret"))],
    ...containers.map((one): [string, string[]] => [
      `pod ${one.name}`,
      (one.env ?? []).map((pair) => pair.name),
    ]),
  ];
  test.each(named)("%s names settings that exist", (_, names) => {
    expect(names.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
  });

  test("the image's runtime has the settings of npm start", () => {
    const [, reported = ""] = /^ENV (\w+=.*BUN_.*)$/m.exec(dockerfile) ?? [];
    expect(Object.fromEntries(reported.split(" ").map((pair) => pair.split("=")))).toEqual(START_ENVIRONMENT);
  });

  test("is accepted as a whole, for every role", () => {
    const image = { HOST: "0.0.0.0", PORT: "8080", DATA_DIR: "/data" };
    for (const [name, service] of ours) {
      const reported = fields(service.environment) as Record<string, string>;
      // Compose fills in the values of deploy/.env: passwords, and nothing for the rest.
      const filled = Object.entries(reported).map(([setting, text]) => [
        setting,
        String(text)
          .replace(/\$\{\w+:\?[^}]*\}/g, "password")
          .replace(/\$\{\w+:-([^}]*)\}/g, "$1"),
      ]);
      const config = readConfig({ ...image, ...Object.fromEntries(filled) });
      expect([name, config.port]).toEqual([name, 8080]);
    }
    for (const one of containers.filter((container) => !container.command)) {
      const env = Object.fromEntries((one.env ?? []).map((pair) => [pair.name, pair.value]));
      const reported = { ...image, ...settingsOf("ConfigMap"), ...settingsOf("Secret"), ...env } as Record<
        string,
        string
      >;
      expect(readConfig(reported).role).toBe(one.name as "api");
    }
  });

  test("supervisors wait longer than a drain takes", () => {
    const graceOf = (text: unknown) => Number.parseInt(String(text), 10);
    for (const [, service] of ours) {
      const drain = fields(service.environment).DRAIN_SECONDS;
      if (drain !== undefined)
        expect(graceOf(service.stop_grace_period)).toBeGreaterThanOrEqual(Number(drain) + 10);
    }
    const drain = Number(settingsOf("ConfigMap").DRAIN_SECONDS);
    for (const one of manifests.filter((manifest) => manifest.kind === "Deployment"))
      expect(Number(at(one, "spec.template.spec.terminationGracePeriodSeconds"))).toBeGreaterThanOrEqual(
        drain + 10,
      );
  });
});

describe("the manifests", () => {
  test("ports agree with the settings and with each other", () => {
    for (const one of containers.filter((container) => !container.command)) {
      const ports = Object.fromEntries(one.ports.map((port) => [port.name, port.containerPort]));
      expect(ports).toEqual({ http: 8080, metrics: Number(settingsOf("ConfigMap").METRICS_PORT) });
    }
    for (const service of manifests.filter((one) => one.kind === "Service")) {
      const app = at(service, "spec.selector.app");
      const target = manifests.find((one) => at(one, "spec.template.metadata.labels.app") === app);
      expect(at(target, "spec.selector.matchLabels.app")).toBe(app);
    }
    expect(
      at(
        manifests.find((one) => one.kind === "Ingress"),
        "spec.rules.0.http.paths.0.backend.service.name",
      ),
    ).toBe("api");
  });

  test("a network policy guards every workload, and only monitoring reaches the metrics", () => {
    const policies = manifests.filter((one) => one.kind === "NetworkPolicy");
    const guarded = policies.map((one) => at(one, "spec.podSelector.matchLabels.app"));
    const workloads = manifests.flatMap((one) => at(one, "spec.template.metadata.labels.app") ?? []);
    expect([...new Set(guarded)].sort()).toEqual([...new Set(workloads)].sort());
    const metrics = Number(settingsOf("ConfigMap").METRICS_PORT);
    const openers = policies
      .flatMap((one) => (at(one, "spec.ingress") as Record<string, unknown>[]) ?? [])
      .filter((rule) => JSON.stringify(rule.ports).includes(String(metrics)));
    expect(openers.length).toBeGreaterThan(0);
    for (const rule of openers) expect(JSON.stringify(rule.from)).toContain("monitoring");
  });

  test("every pod runs without privileges, within limits, and is probed", () => {
    for (const one of containers) {
      expect(one.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      });
      expect(at(one, "resources.limits.memory")).toBeString();
      for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
        expect({ probe, port: at(one[probe], "httpGet.port") }).toEqual({ probe, port: "http" });
    }
    for (const one of manifests.filter((manifest) => at(manifest, "spec.template") !== undefined))
      expect(at(one, "spec.template.spec.securityContext.runAsNonRoot")).toBe(true);
  });
});

describe("the balancers", () => {
  test("send no request to a second node that the first may have charged", () => {
    const ingress = manifests.find((one) => one.kind === "Ingress");
    expect(fields(at(ingress, "metadata.annotations"))).toMatchObject({
      "nginx.ingress.kubernetes.io/proxy-next-upstream": "off",
    });
    expect(read("deploy/nginx.conf")).toContain("proxy_next_upstream off;");
  });

  test("are trusted by setting, and no private network range is by default", () => {
    const trusted = String(settingsOf("ConfigMap").TRUSTED_PROXIES);
    expect(readConfig({ TRUSTED_PROXIES: trusted }).trustedProxies).toEqual([]);
    for (const [, service] of ours) {
      const own = fields(service.environment).TRUSTED_PROXIES;
      if (own !== undefined) expect(String(own)).toMatch(/^\$\{TRUSTED_PROXIES:-[\d.]+\}$/);
    }
  });
});

test("every container of the composition is read-only, without capabilities of its own, and within a memory limit", () => {
  const services = Object.entries(compose.services).map(([name, one]) => ({
    name,
    read_only: one.read_only,
    cap_drop: one.cap_drop,
    security_opt: one.security_opt,
    isLimited: typeof one.mem_limit === "string",
  }));
  for (const { name, ...rest } of services)
    expect([name, rest]).toEqual([
      name,
      { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], isLimited: true },
    ]);
});

describe("a running service", () => {
  const clock = systemClock();
  const log = createLog("silent", clock.now);
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-deploy-"));
  const stops: (() => Promise<void>)[] = [];
  let url = "";
  let platformUrl = "";
  let metrics: string[] = [];

  beforeAll(async () => {
    const push = makeVapidKeys();
    const world = { seed: "deploy", eventsPerSecond: 2, traders: 50, historyDays: 1 };
    const platform = await openSimulator({ ...world, dataFolder: null, clock, log });
    const server = await serveSimulator({ platform, host: "127.0.0.1", port: 0, clock, log });
    platformUrl = server.url;
    const service = await createService(
      readConfig({
        UPSTREAM: server.url,
        DATA_DIR: folder,
        PORT: "0",
        METRICS_PORT: "0",
        LOG_LEVEL: "silent",
        // With Web Push,
        VAPID_PUBLIC_KEY: push.publicKey,
        VAPID_PRIVATE_KEY: push.privateKey,
        VAPID_SUBJECT: "mailto:ops@example.com",
        // and with a collector, which need not exist, so that its metrics are declared too.
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      }),
    );
    url = service.url;
    const text = await (await fetch(`${service.metricsUrl}/metrics`)).text();
    metrics = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => String(match[1]));
    stops.push(service.stop, server.stop, () => platform.close());
  }, 900_000);
  afterAll(async () => {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("answers every path that a probe requests", async () => {
    const paths = new Map<string, string>();
    for (const one of containers)
      for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
        paths.set(String(at(one[probe], "httpGet.path")), one.command ? platformUrl : url);
    for (const match of `${read("Dockerfile")}${read("deploy/compose.yaml")}`.matchAll(
      /'(\/(?:livez|api\/status))'|8080(\/api\/status)/g,
    )) {
      const path = String(match[1] ?? match[2]);
      paths.set(path, path === "/livez" ? url : platformUrl);
    }
    expect([...paths.keys()].sort()).toEqual(["/api/status", "/livez", "/readyz"]);
    // A service that has just started is busy, and may need a moment until it is ready.
    for (const [path, base] of paths)
      await eventually(async () => (await fetch(base + path)).status === 200, `${path} answers`);
  });

  /** Series names as used in a query, without the suffixes that Prometheus adds to a histogram's. */
  const namedIn = (text: string) => [
    ...new Set(
      [...text.matchAll(/\b((?:crowdtape|capture|process)_[a-z_]+)\b/g)]
        .map((match) => String(match[1]))
        .map((name) => (metrics.includes(name) ? name : name.replace(/_(bucket|sum|count)$/, ""))),
    ),
  ];
  const expressions = (text: string) =>
    [...text.matchAll(/"?expr"?: (.*)$/gm)].map((match) => match[1]).join("\n");

  test("has every metric that the dashboard uses", () => {
    const drawn = namedIn(expressions(read("deploy/grafana-dashboard.json")));
    expect(drawn.length).toBeGreaterThan(15);
    expect(drawn.filter((name) => !metrics.includes(name))).toEqual([]);
  });

  test("has every metric that an alert uses", () => {
    const used = namedIn(expressions(read("deploy/alerts.yaml")));
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !metrics.includes(name))).toEqual([]);
  });

  test("has exactly the metrics of the table in docs/operating.md", () => {
    const table = read("docs/operating.md").split("## Metrics")[1] ?? "";
    const listed = [...table.matchAll(/^\| `([a-z_]+)` *\|/gm)].map((match) => String(match[1]));
    expect(listed.toSorted()).toEqual(metrics.toSorted());
  });
});

/** The program's own output. */
const helpText = () =>
  Bun.spawnSync([process.execPath, join(root, "service/cli.ts"), "help"]).stdout.toString();

test("docs/operating.md mentions only existing settings, files and commands", () => {
  const page = read("docs/operating.md");
  const settings = [...page.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map((match) =>
    String(match[1]),
  );
  expect(settings.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
  const files = [...page.matchAll(/`(deploy\/[^`\s]+)`/g)].map((match) => String(match[1]));
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const help = helpText();
  const reported = [...page.matchAll(/npx crowdtape ([a-z]+(?: (?:copy|new-epoch|serve|create))?)/g)].map(
    (match) => String(match[1]),
  );
  expect(reported.filter((verb) => !help.includes(`crowdtape ${verb}`))).toEqual([]);
});

needing("nginx").test(
  "nginx, as configured, passes requests and sockets, trusts no caller's address, logs no key, and leaves a dead node",
  async () => {
    const nginx = programPath("nginx");
    const seen: string[] = [];
    const node = (name: string) =>
      Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch(request, server) {
          seen.push(String(request.headers.get("x-forwarded-for")));
          if (new URL(request.url).pathname === "/ws/alerts" && server.upgrade(request)) return undefined;
          if (name === "first" && new URL(request.url).pathname === "/dies")
            return new Response(new ReadableStream({ start: (out) => out.error(new Error("dies")) }));
          return new Response(name);
        },
        websocket: { open: (socket) => void socket.send(name), message() {} },
      });
    const [first, second] = [node("first"), node("second")];
    const folder = temporaryFolder("nginx", null);
    const port = await freePort();
    const [access, errors] = [join(folder, "access.log"), join(folder, "error.log")];
    const config = read("deploy/nginx.conf")
      .replace("api-1:8080", `127.0.0.1:${first.port}`)
      .replace("api-2:8080", `127.0.0.1:${second.port}`)
      .replace("listen 8080;", `listen 127.0.0.1:${port};`)
      .replace("/tmp/nginx.pid", join(folder, "nginx.pid"))
      .replace("/dev/stdout", access)
      .replace("/dev/stderr", errors);
    const file = join(folder, "nginx.conf");
    writeFileSync(file, config);
    const checked = Bun.spawnSync([nginx, "-t", "-p", folder, "-c", file]);
    expect(checked.stderr.toString()).toContain("syntax is ok");
    const balancer = await supervise([nginx, "-p", folder, "-c", file, "-g", "daemon off;"], {
      folder,
      account: null,
      stopSignal: "TERM",
      output: join(folder, "output.log"),
    });
    const url = `http://127.0.0.1:${port}`;
    await eventually(
      () =>
        fetch(url).then(
          (answer) => answer.ok,
          () => false,
        ),
      "nginx answers",
    );

    await fetch(`${url}/v2/alerts?key=ct_live_canary`, { headers: { "x-forwarded-for": "6.6.6.6" } });
    expect(new Set(seen)).toEqual(new Set(["127.0.0.1"]));
    expect((await fetch(`${url}/readyz`)).status).toBe(404);
    const greeting = await new Promise((resolve, reject) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/ws/alerts?key=ct_live_canary`);
      socket.onmessage = ({ data }) => {
        resolve(String(data));
        // Open sockets count: with one of them, its node would get no request.
        socket.close();
      };
      socket.onerror = () => reject(new Error("no socket through nginx"));
    });
    expect(["first", "second"]).toContain(String(greeting));

    // A node that dies while handling a request may have charged for it: the request is not retried.
    const askedBefore = seen.length;
    let sent = 0;
    await eventually(async () => {
      sent += 1;
      return (await fetch(`${url}/dies`)).status === 502;
    }, "the first node died of a request");
    expect(seen.length - askedBefore).toBe(sent);

    await first.stop(true);
    // That request detected it, so it gets no more.
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${url}/health`)).text()),
    );
    expect(new Set(answers)).toEqual(new Set(["second"]));
    await second.stop(true);
    await fetch(`${url}/v2/alerts?key=ct_live_canary`);

    balancer.signal("SIGTERM");
    await balancer.exited;
    const written = readFileSync(access, "utf8") + readFileSync(errors, "utf8");
    expect(written).toContain("GET /v2/alerts 200");
    expect(written).not.toContain("canary");
    rmSync(folder, { recursive: true, force: true });
  },
  900_000,
);
