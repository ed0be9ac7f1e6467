// Lists and watches one resource with client-go's stock dynamic informer, and prints what the informer tells its handlers:
// one JSON object a line. It ends when its standard input does.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type line struct {
	Event     string `json:"event"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Version   string `json:"version,omitempty"`
	Error     string `json:"error,omitempty"`
}

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: go-informer KUBECONFIG RESOURCE NAMESPACE USER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig, resource, namespace, user string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	if user != "" {
		config.Impersonate.UserName = user
		config.Impersonate.Groups = []string{"system:authenticated"}
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	out := json.NewEncoder(os.Stdout)
	lines := make(chan line, 1024)
	tell := func(event string) func(any) {
		return func(object any) { lines <- about(event, object) }
	}
	gvr := schema.GroupVersionResource{Group: "core.cozystack.io", Version: "v1alpha1", Resource: resource}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, namespace, nil)
	informer := factory.ForResource(gvr).Informer()
	if err := informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
		lines <- line{Event: "problem", Error: err.Error()}
	}); err != nil {
		return err
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    tell("added"),
		UpdateFunc: func(_, object any) { lines <- about("updated", object) },
		DeleteFunc: tell("deleted"),
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	go func() {
		if cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
			lines <- line{Event: "synced"}
		}
	}()
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	for {
		select {
		case each := <-lines:
			if err := out.Encode(each); err != nil {
				return err
			}
		case <-ended:
			return nil
		}
	}
}

func about(event string, object any) line {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	found, ok := object.(*unstructured.Unstructured)
	if !ok {
		return line{Event: event, Error: fmt.Sprintf("a %T", object)}
	}
	return line{Event: event, Namespace: found.GetNamespace(), Name: found.GetName(), Version: found.GetResourceVersion()}
}
