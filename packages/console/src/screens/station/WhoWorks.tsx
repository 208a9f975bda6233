import { Badge as Chip, Button, Group, Text } from '@mantine/core';
import { IconId } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Refusal } from '../../api/refusal';
import { callApi, studio } from '../../api/studio';
import { invalidateNouns } from '../../live/nouns';
import { setBadge, useBadge } from '../../session/badge';
import { useSession } from '../../session/session';
import { refuseScan } from '../../shared/toast';
import { playTone } from '../../shared/tone';

/** The person whose badge the station has scanned. */
export function WhoWorks() {
  const badge = useBadge();
  if (useSession().kind !== 'station') return null;
  if (badge === null) return <Text>Scan your badge, so that your steps have your name.</Text>;
  return (
    <Group gap="xs" role="group" aria-label="Badge">
      <Chip size="xl" variant="light" tt="none" leftSection={<IconId size={20} aria-hidden />}>
        {badge.name}
      </Chip>
      <Button size="xs" variant="default" onClick={() => setBadge(null)}>
        Remove badge
      </Button>
    </Group>
  );
}

/** The mutation key of a badge that is being read. */
export const BADGE_SCAN = ['badge'];

/** Handles the scan of a badge. The person before is forgotten at once, and the last scan counts. */
export function useBadgeScan(): (code: string) => void {
  const { kind } = useSession();
  const queries = useQueryClient();
  const latest = useRef('');
  const { mutate } = useMutation({
    mutationKey: BADGE_SCAN,
    mutationFn: (code: string) => callApi(studio.GET('/badge-holders/{code}', { params: { path: { code } } })),
    onMutate: (code) => {
      latest.current = code;
      setBadge(null);
    },
    onSuccess: async (holder, code) => {
      if (latest.current !== code) return;
      setBadge({ ...holder, code });
      playTone('orderLoaded');
      await invalidateNouns(queries, ['order']); // undo depends on the badge
    },
    onError: (error, code) => {
      if (latest.current !== code) return;
      const isUnknown = error instanceof Refusal && error.status === 404;
      refuseScan(isUnknown ? 'This badge is unknown or revoked. Scan another badge.' : `Scan the badge again. ${error.message}`);
    },
  });
  return (code) => {
    if (kind !== 'station') {
      refuseScan('This browser is not a station, so a badge does nothing. An admin creates stations in Settings.');
      return;
    }
    mutate(code);
  };
}
