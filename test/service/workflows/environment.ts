import { TestWorkflowEnvironment } from '@temporalio/testing';
import { toolPath } from '../../../scripts/start/tools';
import { createOrdersWorker } from '../../../src/processes/worker';
import { SEARCH_ATTRIBUTES } from '../../../workflows/search-attributes';
import { timeSkippingServerPath } from '../../support/infrastructure';
import { installRuntime } from '../../support/temporal-runtime';
import { startService, type TestService } from '../../support/service';

/** The whole service with a separate Temporal server. */
export interface OwnEnvironment {
  temporal: TestWorkflowEnvironment;
  service: TestService;
  stop(): Promise<void>;
}

/** A dev server with these dynamic values. */
export function startOnDevServer(
  dynamicConfig: string[],
  env: Record<string, string> = {},
  { worker = true } = {},
): Promise<OwnEnvironment> {
  const values = [...dynamicConfig, 'history.transferProcessorMaxPollRPS=1000', 'history.timerProcessorMaxPollRPS=1000'];
  const server = {
    executable: { type: 'existing-path', path: toolPath('temporal') },
    extraArgs: values.flatMap((value) => ['--dynamic-config-value', value]),
    searchAttributes: Object.values(SEARCH_ATTRIBUTES),
  } as const;
  const create = () => TestWorkflowEnvironment.createLocal({ server });
  return startEnvironment(() => create().catch(create), env, worker); // as below
}

const KEYWORD_ATTRIBUTE_TYPE = 2;

/**
 * The test server with a clock that can be advanced: `temporal.sleep`. Like the real server, it refuses unregistered attributes.
 * It cannot list workflows, schedules or details.
 */
export function startOnTimeSkippingServer(env: Record<string, string> = {}): Promise<OwnEnvironment> {
  return startEnvironment(createTimeSkipping, env);
}

/** The test server with the service's search attributes. */
export async function createTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const server = { executable: { type: 'existing-path', path: timeSkippingServerPath() } } as const;
  const create = () => TestWorkflowEnvironment.createTimeSkipping({ server });
  const temporal = await create().catch(create); // a busy machine takes more than the SDK's five seconds: https://github.com/temporalio/sdk-rust/issues/722
  const searchAttributes = Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map(({ name }) => [name, KEYWORD_ATTRIBUTE_TYPE]));
  await temporal.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
  return temporal;
}

async function startEnvironment(
  create: () => Promise<TestWorkflowEnvironment>,
  env: Record<string, string>,
  hasWorker = true,
): Promise<OwnEnvironment> {
  installRuntime();
  const temporal = await create();
  const service = await startService({ temporalAddress: temporal.address, worker: false, env });
  const worker = hasWorker
    ? await createOrdersWorker(service.deps, {
        connection: temporal.nativeConnection,
        taskQueue: service.taskQueue,
        shutdownGraceMs: 500,
      })
    : null;
  const done = worker?.run();
  return {
    temporal,
    service,
    async stop() {
      worker?.shutdown();
      await done;
      await service.stop();
      await temporal.teardown();
    },
  };
}
