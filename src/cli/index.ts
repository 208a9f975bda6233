#!/usr/bin/env node
import { Command } from 'commander';
import { ConfigError, loadConfig, type Config } from '../config';
import { createDataSource, migrate } from '../db/data-source';
import { seed } from '../db/seed';
import { demoSettings, playDemo } from '../demo';
import { DemoProblem } from '../demo/http';
import { registerSearchAttributes } from '../temporal/search-attributes';
import type { DataSource } from 'typeorm';
import { rotate } from './secrets';

const program = new Command('trade-print').description('Command line of the trade print order service').showHelpAfterError();

program
  .command('migrate')
  .description('bring the database to this version and register the search attributes in Temporal')
  .action(() => withDatabase(async (dataSource, config) => {
    const applied = await migrate(dataSource);
    console.log(applied.length === 0 ? 'the database is up to date' : `applied ${applied.join(', ')}`);
    const registered = await registerSearchAttributes(config.temporal);
    console.log(`search attributes registered: ${registered.join(', ')}`);
  }));

program
  .command('seed')
  .description('put the first catalogue and price book where there is none')
  .action(() => withDatabase(async (dataSource) => {
    await seed(dataSource, new Date());
    console.log('catalogue, price book and settings are in place');
  }));

program
  .command('secrets')
  .description('the secrets that the database keeps')
  .command('rotate')
  .description('bring them all under the first key of SECRETS_KEY; the service may run meanwhile')
  .action(() => withDatabase(async (dataSource, config) => {
    if (!(await rotate(dataSource, config, (line) => console.log(line)))) process.exitCode = 1;
  }));

program
  .command('demo')
  .description('play the main job against the running service and print each step')
  .action(() => playDemo(demoSettings(process.env, (line) => console.log(line))));

async function withDatabase(work: (dataSource: DataSource, config: Config) => Promise<void>): Promise<void> {
  const config = loadConfig();
  const dataSource = await createDataSource(config.databaseUrl, 2).initialize();
  try {
    await work(dataSource, config);
  } finally {
    await dataSource.destroy();
  }
}

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof ConfigError || error instanceof DemoProblem ? error.message : error);
  process.exitCode = 1;
});
