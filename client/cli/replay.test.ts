import { expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../../test/support/eventually.ts";
import { sparkline } from "./replay.ts";

test("a sparkline goes from its lowest to its highest bar, and is flat without change", () => {
  expect(sparkline([0, 50, 100])).toBe("▁▅█");
  expect(sparkline([-10, 10, -10])).toBe("▁█▁");
  expect(sparkline([7, 7])).toBe("▁▁");
  expect(sparkline([])).toBe("");
});

test("a long replay is polled until it is done, and Ctrl-C cancels it at the service", async () => {
  let [looks, status] = [0, "running"];
  const replay = () => ({ id: "rpl_1", status, progressPct: 40, fills: 9_000, answer: null, note: null });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ method }) {
      if (method === "GET") looks++;
      if (method === "DELETE") status = "cancelled";
      const headers = { "x-credits-cost": "0", "x-request-id": "req_aaaaaaaaaaaaaaaa" };
      return Response.json(replay(), { status: method === "POST" ? 202 : 200, headers });
    },
  });
  const cli = join(import.meta.dir, "../../service/cli.ts");
  const line = [
    "replay",
    "@somebody",
    "--stop-loss",
    "20",
    "--server",
    String(server.url),
    "--key",
    "ct_test_a",
  ];
  const child = Bun.spawn([process.execPath, cli, ...line], { stdout: "pipe", stderr: "pipe" });
  await eventually(() => looks > 1, "the command asks how far it came");
  child.kill("SIGINT");
  expect(await child.exited).toBe(1);
  expect(status).toBe("cancelled");
  expect(await new Response(child.stderr).text()).toContain("The replay was cancelled.");
  await server.stop(true);
}, 900_000);
