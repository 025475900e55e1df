// Prepares the machine for the tests: looks for the required programs and installs missing ones if it may, as root or with a
// passwordless sudo, on Debian and Ubuntu. Elsewhere it prints the command to run.
import { hasProgram, PROGRAM_NAMES, type ProgramName, packagesOf } from "../support/programs.ts";

const INSTALL = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"];

/** The prefix that runs a command as root; null if it would ask for a password or does not exist. */
function asRoot(): string[] | null {
  // sudo drops the environment, so apt-get's variables are set after it.
  const quietly = ["env", "DEBIAN_FRONTEND=noninteractive"];
  if (process.getuid?.() === 0) return quietly;
  if (!Bun.which("sudo") || !Bun.spawnSync(["sudo", "-n", "true"]).success) return null;
  return ["sudo", "-n", ...quietly];
}

function install(names: readonly ProgramName[]): void {
  const root = asRoot();
  if (!root || !Bun.which("apt-get")) return;
  const packages = packagesOf(names);
  console.log(`installing ${packages.join(" ")}`);
  for (const command of [
    ["apt-get", "update", "-qq"],
    [...INSTALL, ...packages],
  ]) {
    const done = Bun.spawnSync([...root, ...command], { stdout: "pipe", stderr: "pipe" });
    if (!done.success) {
      console.log(`${command.join(" ")} failed:\n${done.stdout}${done.stderr}`);
      return;
    }
  }
}

const missing = () => PROGRAM_NAMES.filter((name) => !hasProgram(name));

/** What is still missing afterwards. A program hidden by TEST_WITHOUT stays hidden. */
export function prepareMachine(): ProgramName[] {
  const hidden = Bun.env.TEST_WITHOUT?.split(",") ?? [];
  const wanted = missing().filter((name) => !hidden.includes(name));
  if (wanted.length > 0) install(wanted);
  const left = missing();
  if (left.length > 0) {
    console.log(`not found: ${left.join(", ")}; the tests that need them are skipped`);
    console.log(
      `to run them: sudo apt-get update && sudo apt-get install --no-install-recommends ${packagesOf(left).join(" ")}`,
    );
  }
  return left;
}
