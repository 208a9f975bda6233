import { Anchor, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../session/session';
import { Part } from './Part';
import { schedulesQuery } from './queries';

/** Where to read more, and where the workflows are. */
export function About() {
  const isOffice = useMay('office');
  const { data: schedules } = useQuery({ ...schedulesQuery, enabled: isOffice });
  const workflows = schedules
    ?.flatMap(({ runs }) => runs)
    .map(({ workflowUrl }) => workflowUrl)
    .find((address) => address !== null)
    ?.replace(/\/workflows\/.*$/, '/workflows');
  return (
    <Part title="Where to read more">
      <List size="sm">
        <List.Item>
          <Anchor size="sm" underline="always" href="/docs/guides">
            The guides
          </Anchor>
          : what to do when, and for who builds on the API.
        </List.Item>
        <List.Item>
          <Anchor size="sm" underline="always" href="/docs">
            The studio API
          </Anchor>
          : everything this console does, each endpoint to try.
        </List.Item>
        {workflows !== undefined && (
          <List.Item>
            <Anchor size="sm" underline="always" href={workflows} target="_blank" rel="noreferrer">
              The Temporal Web UI
            </Anchor>
            : the workflow of every order.
          </List.Item>
        )}
      </List>
    </Part>
  );
}
