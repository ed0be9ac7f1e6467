/** What scripts of Jobs begin with. */

/** Waits until the cluster's API server answers: its kubeconfig is there before it. */
export const untilReady = `tries=0
until kubectl get --raw=/readyz >/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 120 ] || exit 1
  sleep 5
done`;
