import { callApi, studio } from '../api/studio';

/** Undoes a milestone; a repeat changes nothing. The floor may do it for 60 seconds (ruling 78). @throws Refusal */
export const undoMilestone = (orderId: string, milestoneId: string, reason = 'Undone right after it was recorded') =>
  callApi(
    studio.POST('/orders/{id}/milestones/{milestoneId}/correct', {
      params: { path: { id: orderId, milestoneId } },
      body: { reason },
    }),
  );

/** Undoes a parcel by voiding it. */
export const undoParcel = (orderId: string, parcelId: string) =>
  callApi(studio.DELETE('/orders/{id}/parcels/{parcelId}', { params: { path: { id: orderId, parcelId } } }));
