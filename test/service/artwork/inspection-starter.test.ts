import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InspectionStarter, MAX_CONCURRENT_INSPECTIONS } from '../../../src/inspection/inspection-starter';
import { inspectionWorkflowId } from '../../../workflows/artwork-messages';
import { declareArtwork, sendArtwork } from '../../support/baskets';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { aTrader } from '../http/support';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('starting inspections that no worker takes', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService({ worker: false });
  });
  afterEach(() => service.stop());

  /** A file of a new account. Returns the upload's id. */
  async function uploadOfNewAccount(): Promise<string> {
    const { trade } = await aTrader(service);
    const { uploadUrl, uploadId } = await declareArtwork(trade);
    expect((await sendArtwork(uploadUrl)).status).toBe(200);
    return uploadId;
  }
  const findClaimed = () => service.deps.database.column<string>('SELECT id FROM uploads WHERE inspection_claimed_until IS NOT NULL');
  const untilClaimed = (count: number) => waitFor(`${count} claims`, async () => (await findClaimed()).length >= count);
  const terminate = (uploadId: string) =>
    service.deps.temporal.client.workflow.getHandle(inspectionWorkflowId(uploadId)).terminate('ends the test');

  it('a slot is released at its time limit, also after a garbage collection', async () => {
    const uploads = [await uploadOfNewAccount(), await uploadOfNewAccount(), await uploadOfNewAccount()];
    const starter = new InspectionStarter(service.deps, 1_000);
    starter.start();
    try {
      await untilClaimed(MAX_CONCURRENT_INSPECTIONS);
      collectGarbage();
      await untilClaimed(uploads.length);
    } finally {
      await starter.stop();
    }
    for (const uploadId of uploads) await terminate(uploadId);
  });

  it('an upload whose inspection was already running is due again when that one has ended', async () => {
    const uploadId = await uploadOfNewAccount();
    const { artwork } = service.deps.temporal;
    expect(await artwork.startInspection(uploadId)).toBe(true);
    const starter = new InspectionStarter(service.deps);
    starter.start();
    try {
      await untilClaimed(1);
      await terminate(uploadId);
      await waitFor('another inspection', async () => {
        const { status } = await service.deps.temporal.client.workflow.getHandle(inspectionWorkflowId(uploadId)).describe();
        return status.name === 'RUNNING';
      });
    } finally {
      await starter.stop();
    }
    await terminate(uploadId);
  });
});
