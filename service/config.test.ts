import { expect, test } from "bun:test";
import { readConfig } from "./config.ts";
import { SETTINGS } from "./settings.ts";

test("every setting has a default that is valid", () => {
  const config = readConfig({});
  expect(config.port).toBe(8080);
  expect(config.dataFolder).toBe("./data");
  expect(config.upstream).toBe("simulator");
  expect(config.warnings).toEqual([]);
  expect(config.databaseUrl).toBeNull();
});

test("all wrong settings are reported together, each by its name", () => {
  const read = () =>
    readConfig({ PORT: "eighty", ROLE: "king", SIMULATOR_EVENTS_PER_SECOND: "-1", LOG_LEVEL: "loud" });
  for (const name of ["PORT", "ROLE", "SIMULATOR_EVENTS_PER_SECOND", "LOG_LEVEL"]) expect(read).toThrow(name);
});

test("a secret setting is not echoed in its own complaint", () => {
  expect(() => readConfig({ DATABASE_URL: "mysql://root:hunter2@db/x" })).toThrow(
    "DATABASE_URL must be a URL",
  );
  try {
    readConfig({ DATABASE_URL: "mysql://root:hunter2@db/x" });
  } catch (error) {
    expect(String(error)).not.toContain("hunter2");
  }
});

test("a node with a role other than all refuses the in-process simulator and says what to do", () => {
  expect(() => readConfig({ ROLE: "api", DATABASE_URL: "postgres://localhost/x" })).toThrow(
    "simulator serve",
  );
});

test("a split role needs PostgreSQL", () => {
  expect(() => readConfig({ ROLE: "capture", UPSTREAM: "http://127.0.0.1:9000" })).toThrow(
    "DATABASE_URL must be set",
  );
});

test("an empty setting means its default", () => {
  expect(readConfig({ PORT: "", HOST: " " }).port).toBe(8080);
});

test("every setting has a description", () => {
  for (const [name, setting] of Object.entries(SETTINGS)) {
    expect(`${name}: ${setting.about}`).toMatch(/: .{10,}\.$/);
  }
});

test("the tracker needs a provider, takes several URLs a chain, and never quotes one", () => {
  expect(() => readConfig({ UPSTREAM: "chain" })).toThrow("needs a provider");
  const config = readConfig({
    UPSTREAM: "chain",
    RPC_BASE: "https://one.example/key,wss://two.example/key,https://three.example",
    RPC_SOLANA: "https://sol.example",
    GRPC_SOLANA: "https://grpc.example:10000,a-secret-token",
    RPC_137: "https://poly.example",
    TRACKER_STABLES: `8453:0x${"AB".repeat(20)}`,
  });
  const base = config.tracker.chains.find(({ chainId }) => chainId === 8453);
  expect(base).toMatchObject({ urls: ["https://one.example/key", "https://three.example"] });
  expect(base).toMatchObject({ webSocketUrl: "wss://two.example/key", stables: [`0x${"ab".repeat(20)}`] });
  expect(config.tracker.chains.map(({ chainId }) => chainId).sort()).toEqual([137, 1399811149, 8453]);
  const solana = config.tracker.chains.find(({ chainId }) => chainId === 1399811149);
  expect(solana?.grpc).toEqual({ url: "https://grpc.example:10000", token: "a-secret-token" });
  expect(base?.grpc).toBeNull();
  expect(config.warnings).toEqual([]);
  expect(() => readConfig({ GRPC_SOLANA: "https://grpc.example" })).toThrow("RPC_SOLANA");
  try {
    readConfig({
      RPC_BASE: "ftp://host/a-secret-key",
      RPC_NOWHERE: "https://x",
      TRACKER_WRAPPED: "1:nothing",
    });
    throw new Error("it was taken");
  } catch (error) {
    for (const name of ["RPC_BASE", "RPC_NOWHERE", "TRACKER_WRAPPED"]) expect(String(error)).toContain(name);
    expect(String(error)).not.toContain("a-secret-key");
  }
});

test("alerts are immediate unless a setting changes that, for all chains or for one", () => {
  const alertsAt = (ALERTS_AT?: string) =>
    readConfig({ RPC_BASE: "https://b", RPC_ETH: "https://e", ALERTS_AT }).tracker.chains.map(
      (chain) => chain.alertsAt,
    );
  expect(alertsAt()).toEqual(["confirmed", "confirmed"]);
  expect(alertsAt("safe, eth:final")).toEqual(["safe", "final"]);
  expect(alertsAt("base:safe")).toEqual(["safe", "confirmed"]);
  for (const wrong of ["soon", "moon:final", "eth:", "final;"])
    expect(() => alertsAt(wrong)).toThrow("ALERTS_AT must be");
});

test("webhooks to private addresses are for one machine's own tests, and refused where others could use them", () => {
  expect(readConfig({}).webhookTargets).toBe("public");
  expect(readConfig({ WEBHOOK_TARGETS: "any" }).webhookTargets).toBe("any");
  for (const reachable of [
    { HOST: "0.0.0.0" },
    { HOST: "192.168.1.5" },
    { PUBLIC_URL: "https://api.example" },
    { STRIPE_SECRET_KEY: "sk_live_12345678", STRIPE_WEBHOOK_SECRET: "whsec_12345678" },
  ])
    expect(() => readConfig({ WEBHOOK_TARGETS: "any", ...reachable })).toThrow(
      "WEBHOOK_TARGETS must be public",
    );
});
