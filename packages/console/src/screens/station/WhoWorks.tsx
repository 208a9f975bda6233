import { Badge as Chip, Button, Group, Text } from '@mantine/core';
import { IconId } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
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

/** Handles the scan of a badge. */
export function useBadgeScan(): (code: string) => void {
  const { kind } = useSession();
  const queries = useQueryClient();
  return (code) => {
    if (kind !== 'station') {
      refuseScan('This browser is not a station, so a badge does nothing. An admin creates stations in Settings.');
      return;
    }
    void callApi(studio.GET('/badge-holders/{code}', { params: { path: { code } } })).then(
      async (holder) => {
        setBadge({ ...holder, code });
        playTone('orderLoaded');
        await invalidateNouns(queries, ['order']); // undo depends on the badge
      },
      () => refuseScan('This badge is unknown or revoked. Scan another badge.'),
    );
  };
}
