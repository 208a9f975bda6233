import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../../api/studio';
import { useHasRole } from '../../session/session';
import { Action, useActionForm } from '../../shared/action';
import { Loaded } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { stageSettingsQuery } from '../../shared/stage-settings';
import { OPTIONAL_STAGES } from '../../shared/stages';
import { statusLabel } from '../../shared/words';

type StageSettings = Schema<'StageSettings'>;

/** The stages that the studio uses after printing. Only admins change them. */
export function Stages() {
  const isAdmin = useHasRole('admin');
  const query = useQuery(stageSettingsQuery);
  return (
    <Panel title="Stages" beside={isAdmin && query.data && <EditStages settings={query.data} />}>
      <Loaded query={query} what="Loading the stages">
        {(settings) => <p>{['Printed', ...OPTIONAL_STAGES.filter((stage) => settings[`${stage}Enabled`]).map(statusLabel)].join(' → ')}</p>}
      </Loaded>
    </Panel>
  );
}

function EditStages({ settings: { framedEnabled, checkedEnabled, readyEnabled } }: { settings: StageSettings }) {
  const form = useActionForm(
    () => ({ framedEnabled, checkedEnabled, readyEnabled }),
    () => ({}),
  );
  return (
    <Action
      label="Edit"
      confirm="Save"
      target="stages"
      title="Edit stages"
      consequences={['The station, the board and the pages of orders offer these stages. Recorded stages stay.']}
      retry="safe"
      run={() => callApi(studio.PUT('/stage-settings', { body: form.values }))}
      toast={() => 'Stages saved'}
      {...form.action}
    >
      {OPTIONAL_STAGES.map((stage) => (
        <Checkbox
          key={stage}
          label={statusLabel(stage)}
          description={DESCRIPTIONS[stage]}
          {...form.getInputProps(`${stage}Enabled`, { type: 'checkbox' })}
        />
      ))}
    </Action>
  );
}

const DESCRIPTIONS = {
  framed: 'Only for orders with a frame',
  checked: 'Quality is checked before packing',
  ready: 'To be packed or collected. Customers who collect get their email then.',
} as const;
