import { demoSettings, playDemo } from '.';
import { DemoProblem } from './http';

/** `npm run demo`: plays the main job against the running service and prints each step. */
async function main(): Promise<void> {
  await playDemo(demoSettings(process.env, (line) => console.log(line)));
}

main().catch((error: unknown) => {
  console.error(error instanceof DemoProblem ? error.message : error);
  process.exitCode = 1;
});
