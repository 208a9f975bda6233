import { readParcelLabel } from '../../../packages/console/src/shared/parcel-label';
import { DEFAULT_CARRIERS } from '../../../src/domain/carriers';

const UPS_PAGE = 'https://www.ups.com/track?tracknum=1Z999AA10123456784';

it.each<[string, string, string | null, string | null, (string | undefined)[]]>([
  ['a label proposes its carrier', '1z 999 aa1 01 2345 6784', null, null, ['1Z999AA10123456784', 'UPS', UPS_PAGE]],
  ['a label goes before the last carrier', '1Z999AA10123456784', null, 'FedEx', ['1Z999AA10123456784', 'UPS', UPS_PAGE]],
  [
    'the last service of its carrier stays',
    'AP123456789AU',
    null,
    'Australia Post Express Post',
    ['AP123456789AU', 'Australia Post Express Post', 'https://auspost.com.au/mypost/track/details/AP123456789AU'],
  ],
  [
    'the last carrier is proposed for other labels',
    ' AB 1 ',
    null,
    'StarTrack',
    ['AB 1', 'StarTrack', 'https://startrack.com.au/track/details/AB%201'],
  ],
  ['a carrier that was removed is not proposed', 'AB1', null, 'Pony Express', ['AB1', undefined, undefined]],
  [
    'a chosen carrier goes before the label',
    '1Z999AA10123456784',
    'StarTrack',
    null,
    ['1Z999AA10123456784', 'StarTrack', 'https://startrack.com.au/track/details/1Z999AA10123456784'],
  ],
  ['another carrier has no page', '1Z999AA10123456784', ' Pony Express ', null, ['1Z999AA10123456784', 'Pony Express', undefined]],
  ['no carrier can be chosen', '1Z999AA10123456784', '', 'UPS', ['1Z999AA10123456784', undefined, undefined]],
  ['an order number is no label', 'P-10001', null, null, ['P-10001', undefined, undefined]],
])('%s', (_what, text, chosen, last, [trackingNumber, carrier, trackingUrl]) => {
  expect(readParcelLabel(DEFAULT_CARRIERS, text, chosen, last)).toEqual({ trackingNumber, carrier, trackingUrl });
});
