/** Each role includes the rights of the earlier ones (studio API "Who may do what"). */
export const ROLES = ['floor', 'office', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
