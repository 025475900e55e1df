// The static checks: types, lint and format, unused code and dependencies.
import type { Job } from "./lanes.ts";

const tool = (name: string) => `node_modules/.bin/${name}`;

export const CHECKS: readonly Job[] = [
  { name: "types", paths: [], command: [tool("tsc"), "--noEmit", "-p", "."], seconds: 15, cpuSeconds: 20 },
  {
    name: "lint and format",
    paths: [],
    command: [tool("biome"), "check", "--error-on-warnings", "."],
    seconds: 5,
    cpuSeconds: 8,
  },
  { name: "unused code and dependencies", paths: [], command: [tool("knip")], seconds: 15, cpuSeconds: 8 },
];
