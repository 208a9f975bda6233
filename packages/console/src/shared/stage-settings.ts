import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi, studio } from '../api/studio';
import { OPTIONAL_STAGES, type OptionalStage } from './stages';

export const stageSettingsQuery = queryOptions({ queryKey: ['settings', 'stages'], queryFn: () => callApi(studio.GET('/stage-settings')) });

/** The stages that the studio uses besides printing; none while the setting is loading. */
export function useStages(): readonly OptionalStage[] {
  const { data } = useQuery(stageSettingsQuery);
  return OPTIONAL_STAGES.filter((stage) => data?.[`${stage}Enabled`] === true);
}
