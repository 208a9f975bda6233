/** Each role may do everything that those before it may (studio API "Who may do what"). */
export const ROLES = ['floor', 'office', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
