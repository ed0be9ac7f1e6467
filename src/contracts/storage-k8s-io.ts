export { StorageClass, type StorageClass as StorageClassObject } from "../kube/kinds/storage.ts";
