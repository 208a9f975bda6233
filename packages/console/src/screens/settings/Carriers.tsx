import { Group, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../../api/studio';
import { useHasRole } from '../../session/session';
import { Action, useActionForm } from '../../shared/action';
import { CARRIER_LIMITS, carriersQuery, maskIssue, repeatedCarrierText, templateIssue } from '../../shared/carriers';
import { Loaded } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { type RowsColumn, StaticTable } from '../../shared/list';

type Carrier = Schema<'Carriers'>['carriers'][number];

const NEW: Carrier = { name: '', services: [], trackingUrl: null, masks: [] };

/** The carriers of the studio. Only admins change them. */
export function Carriers() {
  const isAdmin = useHasRole('admin');
  const query = useQuery(carriersQuery);
  return (
    <Panel
      title="Carriers"
      beside={isAdmin && query.data && <EditCarrier carriers={query.data.carriers} at={query.data.carriers.length} />}
    >
      <Loaded query={query} what="Loading the carriers">
        {({ carriers }) => (
          <StaticTable
            label="Carriers"
            rows={carriers}
            columns={isAdmin ? [...COLUMNS, changesOf(carriers)] : COLUMNS}
            keyOf={({ name }) => name}
            empty="No carriers"
          />
        )}
      </Loaded>
    </Panel>
  );
}

const COLUMNS: readonly RowsColumn<Carrier>[] = [
  { heading: 'Carrier', wrap: true, cell: ({ name }) => name },
  { heading: 'Services', wrap: true, cell: ({ services }) => services.join(', ') || '–' },
  { heading: 'Tracking numbers', wrap: true, cell: ({ masks }) => <span className="wraps">{masks.join(', ') || '–'}</span> },
  { heading: 'Tracking page', wrap: true, cell: ({ trackingUrl }) => <span className="wraps">{trackingUrl ?? '–'}</span> },
];

const changesOf = (carriers: readonly Carrier[]): RowsColumn<Carrier> => ({
  heading: 'Actions',
  cell: (carrier) => (
    <Group gap="xs">
      <EditCarrier carriers={carriers} at={carriers.indexOf(carrier)} />
      <RemoveCarrier carriers={carriers} removed={carrier} />
    </Group>
  ),
});

const putCarriers = (carriers: readonly Carrier[]) => callApi(studio.PUT('/carriers', { body: { carriers: [...carriers] } }));

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** Changes the carrier at this place of the list, or adds one at its end. */
function EditCarrier({ carriers, at }: { carriers: readonly Carrier[]; at: number }) {
  const current = carriers[at];
  const { name, services, trackingUrl, masks } = current ?? NEW;
  const form = useActionForm(
    () => ({ name, services: services.join('\n'), page: trackingUrl ?? '', masks: masks.join('\n') }),
    (values) => ({
      name: values.name.trim() === '' && 'Enter the carrier',
      page: pageProblem(values.page),
      masks: masksProblem(values.masks),
      services: linesOf(values.services).some((line) => line.length > CARRIER_LIMITS.service) && 'Shorten the services',
      all: repeatedCarrierText(edited(values)) !== null && 'Another carrier has this text',
    }),
  );
  function edited(values: { name: string; services: string; page: string; masks: string }): Carrier[] {
    const changed = {
      name: values.name.trim(),
      services: linesOf(values.services),
      trackingUrl: values.page.trim() === '' ? null : values.page.trim(),
      masks: linesOf(values.masks),
    };
    return [...carriers.slice(0, at), changed, ...carriers.slice(at + 1)];
  }
  return (
    <Action
      label={current === undefined ? 'Add carrier' : 'Edit'}
      confirm="Save"
      {...(current !== undefined && { target: name })}
      title={current === undefined ? 'Add carrier' : `Edit ${name}`}
      consequences={['Labels that are scanned from now on propose it. Parcels keep their carrier and URL.']}
      retry="safe"
      run={() => putCarriers(edited(form.values))}
      toast={() => 'Carriers saved'}
      {...form.action}
    >
      <TextInput label="Carrier" required maxLength={CARRIER_LIMITS.name} data-autofocus {...form.field('name')} />
      <Textarea label="Services" description="One in each line." autosize minRows={2} {...form.field('services')} />
      <TextInput
        label="Tracking page"
        description="The URL with {trackingNumber} where the number is."
        maxLength={CARRIER_LIMITS.template}
        {...form.field('page')}
        error={pageProblem(form.values.page)}
      />
      <Textarea
        label="Tracking numbers"
        description="One form in each line. # is a digit, @ a letter, ? either, * any number of them at the end. Put [ ] around the number if the barcode has more."
        autosize
        minRows={2}
        {...form.field('masks')}
        error={masksProblem(form.values.masks)}
      />
    </Action>
  );
}

const pageProblem = (page: string): string | false =>
  page.trim() !== '' && templateIssue(page.trim()) !== null && 'Enter a URL such as https://carrier.example/track/{trackingNumber}';

function masksProblem(text: string): string | false {
  const wrong = linesOf(text).find((mask) => maskIssue(mask) !== null || mask.length > CARRIER_LIMITS.mask);
  return wrong !== undefined && `“${wrong.slice(0, 40)}” is no form of a number`;
}

function RemoveCarrier({ carriers, removed }: { carriers: readonly Carrier[]; removed: Carrier }) {
  return (
    <Action
      label="Remove"
      target={removed.name}
      title={`Remove ${removed.name}`}
      consequences={['Its labels are no longer recognized. Parcels keep their carrier and URL.']}
      retry="safe"
      run={() => putCarriers(carriers.filter((carrier) => carrier !== removed))}
      toast={() => `${removed.name} removed`}
      danger
    />
  );
}
