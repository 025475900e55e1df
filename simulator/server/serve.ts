// The simulator over the wire: a platform like any other that misbehaves on request.
import type { Server } from "bun";
import {
  LIVE_PATH,
  type PlatformServer,
  type ServePlatformOptions,
  servePlatform,
} from "../../protocol/server/serve.ts";
import type { Scenario } from "../world/scenario-names.ts";
import { ADMIN_PATH, answerAdmin, answerScenario, createRequestCounts, SCENARIO_PATH } from "./admin.ts";
import { createFaults } from "./faults.ts";
import { misbehave } from "./misbehave.ts";

const NEVER_SECONDS = 0;

export interface ServeSimulatorOptions extends Omit<ServePlatformOptions, "interceptor" | "routes"> {
  adminToken?: string;
  /** Triggers a scenario in the world; without it none can be requested. */
  ask?: (scenario: Scenario) => Promise<void>;
}

export async function serveSimulator(options: ServeSimulatorOptions): Promise<PlatformServer> {
  const { adminToken: token, ask, ...platform } = options;
  const faults = createFaults();
  const counts = createRequestCounts();
  return servePlatform({
    ...platform,
    interceptor: {
      request({ request, path, pathname, parameters }, server, reply) {
        counts.count(path, pathname);
        const met = faults.meet(pathname);
        if (met.length === 0) return null;
        server.timeout(request, NEVER_SECONDS);
        return misbehave(met, {
          answer: reply,
          after: Number(parameters.after ?? 0),
          clock: options.clock,
          signal: request.signal,
        });
      },
      refusesSockets() {
        counts.count(LIVE_PATH, LIVE_PATH);
        return faults.meet(LIVE_PATH).some((fault) => fault.kind === "reset" || fault.kind === "status");
      },
      isSilent: () => faults.stands("silence", LIVE_PATH),
    },
    routes: {
      [ADMIN_PATH]: (request, server) =>
        answerAdmin(request, server.requestIP(request)?.address, { faults, counts, token }),
      ...(ask && {
        [SCENARIO_PATH]: (request: Request, server: Server<undefined>) =>
          answerScenario(request, server.requestIP(request)?.address, { ask, token }),
      }),
    },
  });
}
